<?php

declare(strict_types=1);

namespace Larder\Page;

/** A page being made: complete files beside the page store's pages, under a name that no other draft ever has. */
final readonly class Draft
{
    /**
     * @param string $twin  the body, compressed
     * @param int    $bytes on disk, the twin included
     */
    public function __construct(
        public string $name,
        public PagePath $page,
        public string $twin,
        public int $bytes,
    ) {}
}
