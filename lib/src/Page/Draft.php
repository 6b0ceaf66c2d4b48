<?php

declare(strict_types=1);

namespace Larder\Page;

/** A page being made. Its files are complete but not served, and have a name that no other draft ever has. */
final readonly class Draft
{
    /**
     * @param string $twin  the compressed body
     * @param int    $bytes on disk, with the twin
     */
    public function __construct(
        public string $name,
        public PagePath $page,
        public string $twin,
        public int $bytes,
    ) {}
}
