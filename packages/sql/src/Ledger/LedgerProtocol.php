<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Tracker;
use Larder\Sql\Tracker\WriterTransaction;

/**
 * @internal The order of a ledger's statements, and their locks: what differs between databases with one writer at a
 * time and those that lock rows one by one. It keeps no connection, and gets the tracker of one.
 */
interface LedgerProtocol
{
    /**
     * Makes this release and this registry the ledger's.
     *
     * @param bool $takes also if the pages lie on another host
     *
     * @throws LedgerUnavailable
     */
    public function deploy(Tracker $tracker, bool $takes): void;

    /** @throws LedgerUnavailable */
    public function flush(Tracker $tracker): void;

    /**
     * Notes the versions of what was read. Called in the snapshot that it was read in.
     *
     * @throws LedgerUnavailable
     */
    public function seal(RecordedReads $reads, Tracker $tracker): void;

    /** Called when the snapshot is over. */
    public function learn(RecordedReads $reads, Tracker $tracker): void;

    /**
     * @param Closure(int): void $stamp
     * @param Closure(int): bool $place
     *
     * @throws LedgerUnavailable
     */
    public function publish(
        Registration $registration,
        Closure $stamp,
        Closure $place,
        Tracker $tracker,
    ): Publication;

    /**
     * Makes known what the open transaction wrote, right before its COMMIT.
     *
     * @param list<Name> $names
     * @param bool             $looks whether it looks at the ledger although there are none
     *
     * @return list<Name> the names that were made known
     *
     * @throws LedgerUnavailable after a rollback
     */
    public function announce(array $names, bool $looks, WriterTransaction $transaction): array;

    /**
     * Runs a statement that commits by itself, and makes known what it changes.
     *
     * @template T
     *
     * @param list<string>|null $tables that it changes; null: all
     * @param Closure(): T      $run
     *
     * @return T
     *
     * @throws LedgerUnavailable before it has run
     */
    public function gate(?array $tables, Closure $run): mixed;

    /**
     * Whether the entry of a page outlives its page, so that pages can be stored.
     *
     * @throws LedgerUnavailable
     */
    public function isDurable(): bool;

    /**
     * The versions of these slots, and the ledger that they belong to.
     *
     * @param list<int> $slots
     *
     * @return array{id: string, mark: int, registry: string, versions: array<int, int>} as SqlState::present()
     *
     * @throws LedgerUnavailable
     */
    public function present(array $slots, Tracker $tracker): array;
}
