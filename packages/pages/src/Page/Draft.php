<?php

declare(strict_types=1);

namespace Larder\Page;

/** A page being made. It is complete but not served, and has a name that no other draft ever has. */
final readonly class Draft
{
    /**
     * @param Response $answer that it was made of
     * @param string   $twin   the compressed body; empty: a shell or a part has none
     * @param int      $bytes  that the store needs for it, with the twin
     */
    public function __construct(
        public string $name,
        public PagePath $page,
        public Response $answer,
        public string $twin,
        public int $bytes,
    ) {}
}
