<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RowChange;
use Throwable;

/** The durable record of which page was made from what, and of each dependency's version. */
interface Ledger
{
    /**
     * @internal Runs $make in one read transaction, records its reads and the versions that they have in this snapshot.
     *
     * @template T
     *
     * @param Closure(): T $make
     *
     * @return T what $make returns; what it throws is thrown on
     */
    public function snapshot(RecordedReads $reads, Closure $make): mixed;

    /**
     * Checks that nothing changed since the snapshot, registers the page and lets $place publish it, in the one order
     * that leaves no stale page behind (algorithm F in docs/explanation/architecture.md).
     *
     * @internal
     *
     * @param Closure(int): void $stamp gives the draft its generation, under the write lock
     * @param Closure(int): bool $place gets the generation; returns false if the draft was gone
     *
     * @throws LedgerUnavailable
     */
    public function publish(Registration $registration, Closure $stamp, Closure $place): Publication;

    /**
     * Runs a writer's transaction. Before COMMIT, the change is made known and every page made from the old data is
     * gone.
     *
     * @template T
     *
     * @param Closure(RowChange): T $write
     *
     * @return T
     *
     * @throws LedgerUnavailable|Throwable after a rollback; what $write throws is thrown on
     */
    public function transaction(Closure $write): mixed;

    /**
     * Opens a change within the application's own transaction on the ledger's connection.
     *
     * @throws NoTransaction
     */
    public function open(): RowChange;

    /**
     * Makes an open change known and drops the pages made from the old data, before it returns. COMMIT must follow.
     *
     * @throws NoTransaction
     * @throws LedgerUnavailable after a rollback of the application's transaction
     */
    public function change(RowChange $change): void;
}
