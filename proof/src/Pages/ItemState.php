<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

/** One hot item as one SELECT saw it. */
final readonly class ItemState
{
    public function __construct(
        public int $version,
        public string $category,
        public int $comments,
    ) {}
}
