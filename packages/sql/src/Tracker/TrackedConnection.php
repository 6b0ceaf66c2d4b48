<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\HasSource;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Registry;
use PDOException;

/** The application's own connection, whose statements are followed: a RecordingPdo or a RecordingMysqli. */
interface TrackedConnection extends HasSource
{
    /** The declared tables, and those of the database's schema. */
    public function registry(): Registry;

    /** @internal */
    public function dialect(): Dialect;

    /** @throws PDOException */
    public function beginTransaction(): bool;

    /**
     * @throws LedgerUnavailable after a rollback, if what was written could not be made known
     * @throws NoTransaction     inside the closure of a transaction
     */
    public function commit(): bool;

    /** Rolls the transaction back. */
    public function takeBack(): bool;

    public function inTransaction(): bool;

    /**
     * Runs a statement that returns no rows.
     *
     * @throws LedgerUnavailable after a rollback, if what it writes could not be made known
     * @throws NoTransaction     if it cannot run here: see the message
     * @throws PDOException
     */
    public function exec(string $statement): int|false;

    /**
     * Runs one statement, and returns all its rows.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, mixed>>
     */
    public function select(string $sql, array $parameters = []): array;

    /** @internal Larder's own statements on this connection. */
    public function own(): OwnStatements;

    /** @internal What stands around each statement of this connection. */
    public function tracker(): Tracker;

    /**
     * @internal Says who makes known what this connection writes, as Tracker::announceBy(), and makes no tracker for
     * that.
     *
     * @param Closure(TrackedDatabase): Announcer $make
     */
    public function announceBy(Closure $make): void;
}
