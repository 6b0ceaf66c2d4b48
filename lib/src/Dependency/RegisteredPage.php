<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** One result as the index knows it: its page, the release it was made by and the one draft that may still become it. */
final readonly class RegisteredPage
{
    public function __construct(
        public string $page,
        public string $draft,
        public string $release,
    ) {}
}
