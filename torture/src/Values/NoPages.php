<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Dependency\RegisteredPages;

/** A place for pages, without pages: the ledger is used for values only. */
final readonly class NoPages implements RegisteredPages
{
    public function claim(string $ledger, int $generation): bool
    {
        return true;
    }

    public function highest(): int
    {
        return 0;
    }

    public function drop(array $results): void {}

    public function clear(): void {}

    public function release(string $release): void {}
}
