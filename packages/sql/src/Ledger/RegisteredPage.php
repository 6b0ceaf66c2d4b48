<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

/** A page as the index has it: its key, the release that made it and the only draft that may still become it. */
final readonly class RegisteredPage
{
    public function __construct(
        public string $page,
        public string $draft,
        public string $release,
    ) {}
}
