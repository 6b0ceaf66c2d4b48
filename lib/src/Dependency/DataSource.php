<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Gate\WriterGates;
use Larder\Exception\ChangeFailed;
use Throwable;

/**
 * What the data of values is read and written by, as far as Gates must know it.
 *
 * A version that is read now is too new for data that is read in a snapshot from before. A read is older inside a
 * transaction that began before, and in SQLite as long as the connection has a statement that was not read to its end:
 * each later one sees the same state of the database.
 *
 * @internal
 */
interface DataSource
{
    /** What may be named, if nobody says it. */
    public function names(): Names;

    /** Whether it stands for this connection. */
    public function isOf(object $connection): bool;

    /** @phpstan-impure */
    public function inTransaction(): bool;

    /**
     * Whether a transaction is open that may have written. Asked for every hit.
     *
     * @phpstan-impure
     */
    public function mayHaveWritten(): bool;

    /** Why what is read outside of a transaction may be older than what is committed; null: it is not. */
    public function doubt(): ?Unstored;

    /** What sees the statements of a compute; null: nothing does. */
    public function recording(): ?Recording;

    /**
     * Runs a writer's transaction, and checks its gates right before COMMIT. Where the application begins and commits,
     * $write does that, and calls Change::check() right before.
     *
     * @template T
     *
     * @param Closure(Change): T $write
     * @param WriterGates        $gates are told if it is certain that the transaction was rolled back
     *
     * @return T
     *
     * @throws ChangeFailed after a rollback
     * @throws Throwable    what $write throws
     */
    public function change(Names $names, Closure $write, WriterGates $gates): mixed;
}
