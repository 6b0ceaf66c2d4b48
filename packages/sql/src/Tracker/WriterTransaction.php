<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;

/** @internal A transaction, as who makes known what it wrote has to know it. */
interface WriterTransaction
{
    public function isOpen(): bool;

    /** Whether it has made something known before, and so holds locks of the ledger. */
    public function hasTold(): bool;

    /** From now on it holds locks of the ledger. */
    public function tells(): void;

    /** What it has written and nobody made known. */
    public function writes(): Writes;

    /** @param Closure(): void $do runs after COMMIT, and does not throw */
    public function afterwards(Closure $do): void;

    public function takeBack(): void;
}
