<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Reading\Grammar;
use PDO;
use PDOException;

/**
 * @internal What differs between databases: how a transaction begins, errors, the ledger's tables; grammar and catalog.
 */
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

    /**
     * Makes what there are two kinds of: one where there is one writer at a time, and one where rows are locked one by
     * one, so that the ledger has a connection of its own.
     *
     * @template T
     *
     * @param Closure(): T               $oneWriter
     * @param Closure(LockingDialect): T $locking
     *
     * @return T
     */
    public function choose(Closure $oneWriter, Closure $locking): mixed;

    /** A statement that changes nothing, and fails in a transaction that PDO may not know of; '': PDO knows of all. */
    public function outside(): string;

    /**
     * Two statements, of which the second one fails as long as a statement that reads is not at its end, since that
     * keeps the state which the next one sees.
     *
     * @return array{string, string}|null null: none keeps it
     */
    public function atEnd(): ?array;

    /** The end of a SELECT of a row, which others may write at the same time: as it is now, and locked. */
    public function lockRow(): string;

    /** What log of its rows the database has; null: none. */
    public function log(): ?RowLog;

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

    /** Whether the server had closed the connection before the statement reached it. */
    public function isClosed(PDOException $exception): bool;

    /**
     * What begins a transaction of the second connection, with all that introduction() does not say: a program between
     * may give each transaction a session of the server that others use too, as pgbouncer does.
     *
     * @param string|null $snapshot that it reads, and then it only reads; null: what is committed
     */
    public function beginSecond(?string $snapshot = null): string;

    /** The same for one statement outside a transaction, before which it is sent; '': there is no need. */
    public function alone(?string $snapshot = null): string;

    /**
     * An expression for the name by which the second connection reads the snapshot of the application's transaction,
     * as long as that is open; null: it cannot.
     */
    public function exportedSnapshot(): ?string;

    /** How the second connection may send several statements at once, with `;` between them; null: not at all. */
    public function takesSeveral(): ?Several;

    /**
     * How the application's own connection may send several statements at once; null: not at all.
     *
     * @param array<int, mixed> $options of PDO
     */
    public function several(array $options = []): ?Several;

    /** Whether several statements of one text are one transaction, and the last one's count is that of all. */
    public function runsAsOne(): bool;

    /** Whether rows that PDO's exec() leaves unread keep the next statement from running. */
    public function leavesRows(): bool;

    /** Whether the connection gets the rows of a query only as they are fetched. */
    public function isUnbuffered(PDO $connection): bool;

    /**
     * A statement that the driver sends first over a connection; '': none.
     *
     * @param array<int, mixed> $options of PDO
     */
    public function first(array $options): string;

    /** Whether the driver itself has the number of the row that was inserted last, until the next statement. */
    public function hasLastNumber(): bool;

    /** Whether an error ends all of a transaction but its ROLLBACK. */
    public function failsWhole(): bool;

    /** A statement that shows whether a transaction is still open behind this error; '': the error shows it. */
    public function afterError(PDOException $exception): string;

    /** A statement that runs what COMMIT would run and could refuse; '': there is nothing of the kind. */
    public function runDeferred(): string;

    /**
     * A query for what decides how this session reads statements; '': nothing does.
     *
     * Its columns: `mode`; `home`, where names are looked up; `auto`, 0 if statements begin a transaction by
     * themselves; `charset` of what the client sends; `hidden`, 0 if no temporary table can hide another one; `schema`.
     */
    public function session(): string;

    /**
     * The grammar of a session.
     *
     * @param array<string, string>     $session   a row of session()
     * @param Closure(): (list<string>) $functions the names of functions that have been added
     */
    public function grammarOf(array $session, Closure $functions): Grammar;

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
