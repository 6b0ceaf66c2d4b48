<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Throwable;

/** The durable record of which result was made from what, and of each dependency's version. */
interface Ledger
{
    /**
     * Runs $make in one read transaction, records its reads and the versions they have in that very snapshot.
     *
     * @template T
     *
     * @param Closure(): T $make
     *
     * @return T what $make returns; what it throws passes through
     */
    public function snapshot(RecordedReads $reads, Closure $make): mixed;

    /**
     * Checks that nothing changed since the snapshot, registers the result and lets $place put it in its place, in the one order
     * that leaves no stale result behind (reference: algorithm F in docs/explanation/architecture.md).
     *
     * @param Closure(int): bool $place given the generation; false when the draft was gone
     *
     * @throws LedgerUnavailable
     */
    public function publish(Registration $registration, Closure $place): Publication;

    /**
     * Runs a writer's transaction. What it tells the Change is made known, and every result made from it is gone, before COMMIT.
     *
     * @template T
     *
     * @param Closure(Change): T $write
     *
     * @return T
     *
     * @throws LedgerUnavailable|Throwable after a rollback; whatever $write throws passes through
     */
    public function transaction(Closure $write): mixed;

    /**
     * Opens a change within the application's own transaction on the ledger's connection.
     *
     * @throws NoTransaction
     */
    public function open(): Change;

    /**
     * Makes an open change known and drops what was made from the data, all before it returns. COMMIT must follow.
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback of the application's transaction
     */
    public function change(Change $change): void;
}
