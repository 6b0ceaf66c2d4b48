<?php

declare(strict_types=1);

namespace Larder\Dependency\Database;

use Larder\Dependency\Sql\Grammar;
use PDOException;

/** What differs between databases: how a transaction begins, errors, the ledger's tables; grammar and catalog. */
interface Dialect
{
    /** The slot of larder_slot for the version of the schema that all stored pages were made under. No name has it. */
    public const SCHEMA = -1;

    /** The slot that learning a column set locks alone, and each writer shares. No name has it. */
    public const SETS = -2;

    /**
     * The slot that a change raises which may have changed anything. All stored pages were made under it, as under that
     * of the schema, and no name has it. It is one of its own, since a new version of the schema means that what others
     * know of the schema is out of date.
     */
    public const EVERYTHING = -3;

    public function grammar(): Grammar;

    public function catalog(): Catalog;

    /** Whether rows are locked one by one, so that the ledger needs a second connection; else one writer at a time. */
    public function locksRows(): bool;

    /**
     * Statements with which a second connection begins.
     *
     * @return list<string>
     */
    public function introduction(): array;

    /**
     * PDO's options for Larder's own statements: each takes one trip to the server.
     *
     * @return array<int, bool>
     */
    public function once(): array;

    /**
     * PDO's options that the second connection needs too, such as those of TLS.
     *
     * @return list<int>
     */
    public function options(): array;

    /** Begins a transaction that takes the write lock; where rows are locked one by one, at its first write. */
    public function begin(): string;

    /** PDO's name of the driver, with which a DSN begins. */
    public function driver(): string;

    /** The exception of a connection that was not made, with what the database's words leave out. */
    public function unopened(string $dsn, PDOException $exception): PDOException;

    /** A query for the database's Unix time in whole seconds. */
    public function clock(): string;

    /**
     * Begins a transaction whose reads all see one state of the database, at the latest that of its first read.
     *
     * @return non-empty-list<string> statements
     */
    public function beginSnapshot(): array;

    /**
     * Bounds how long the statements of a publication wait for a lock.
     *
     * @return array{string, string} the statement before it, and the one after it that restores the usual patience
     */
    public function patience(int $milliseconds, int $usual): array;

    /** A query for the usual patience, in milliseconds. */
    public function usualPatience(): string;

    /** Whether the database refused because another transaction holds the lock. */
    public function isBusy(PDOException $exception): bool;

    /** Whether a statement failed because of a constraint. */
    public function isConstraint(PDOException $exception): bool;

    /** Whether the database refused to begin a transaction because one is open on the connection. */
    public function isNested(PDOException $exception): bool;

    public function quote(string $identifier): string;

    /**
     * An INSERT that does nothing if the key exists.
     *
     * @param list<string> $columns
     */
    public function insertIfAbsent(string $table, array $columns): string;

    /** The column with each row's number, which lastInsertId() gives after an INSERT. */
    public function rowNumber(): string;

    /** An expression that is 1 if the column's value, as PDO returns it, finds this value again. */
    public function isFound(string $column): string;

    /** A query for how many rows the statement before it has changed; one that failed leaves 0 unless some stay so. */
    public function changes(): string;

    /** A statement that takes the write lock, and changes nothing. */
    public function lock(string $table): string;

    /**
     * @return array{check: string, query: string, good: string, remedy: string}|null what a site can do without, and
     *     better has: what it is, a query, its good answer, and what else to do
     */
    public function advice(): ?array;

    /**
     * Idempotent.
     *
     * @return list<string>
     */
    public function schema(int $slots): array;
}
