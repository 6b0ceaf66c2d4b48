<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\Schema;
use Larder\Dependency\Database\SecondConnection;
use Larder\Dependency\Tracker\Writes;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnfinishedWrite;
use PDO;
use PDOException;

/**
 * The application's own connection, whose statements are followed: a RecordingPdo or a RecordingMysqli.
 *
 * What the two add to their extension for Larder stands here; only registry(), dialect(), wrote() and the methods of a
 * transaction are meant for applications.
 */
interface TrackedConnection extends Connection, HasSource
{
    /** The declared tables, and those of the database's schema. */
    public function registry(): Registry;

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

    /** Whether the open transaction may have changed data: a statement ran in it that may be no SELECT. */
    public function wrote(): bool;

    /** @internal Runs a statement of the application. */
    public function exec(string $statement): int|false;

    /**
     * @internal Runs a statement of Larder's own that returns no rows.
     *
     * @throws PDOException
     */
    public function send(string $sql): int|false;

    /**
     * @internal Runs a query of Larder's own, as rows() does.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, scalar|null>>
     *
     * @throws PDOException
     */
    public function receive(string $sql, array $parameters = []): array;

    /**
     * @internal As receive(), for statements that are sent to the server at once, and run one after the other.
     *
     * @param non-empty-list<string> $statements of which only the last ones are queries; on PostgreSQL the last one
     *
     * @return list<list<array<string, scalar|null>>>|null the rows of each; null: it takes only one, and none ran
     *
     * @throws PDOException of the first one that fails
     */
    public function receiveAll(array $statements): ?array;

    /** @internal Runs a statement that asks for the connection's state, and changes and reads no data. */
    public function probe(string $sql): int|false;

    /** @internal The number of the row that the last statement inserted, of whoever. */
    public function insertedId(): string;

    /** @internal Whether the server says that a transaction is open, which is not Larder's own read transaction. */
    public function isServerInTransaction(): bool;

    /** @internal Whether rows stay at the server until they are fetched, so that no other statement can run. */
    public function isUnbuffered(): bool;

    /**
     * @internal Opens another connection to the same database, and does not keep this one.
     *
     * @return Closure(): PDO
     */
    public function another(): Closure;

    /**
     * @internal Larder's own connection to the same database, opened when it is first needed.
     *
     * @throws PDOException
     */
    public function second(): SecondConnection;

    /**
     * @internal Runs $make in one read transaction and records what it reads. Then it runs $end in that transaction, if
     * $make did not end it. A call within $make uses the transaction that is open.
     *
     * @template T
     *
     * @param Closure(): T    $make
     * @param Closure(): void $end
     *
     * @return T
     */
    public function snapshot(RecordedReads $reads, Closure $make, Closure $end): mixed;

    /**
     * @internal Runs $make and records what it reads, in or without a transaction.
     *
     * @template T
     *
     * @param Closure(): T $make
     *
     * @return T
     */
    public function record(RecordedReads $reads, Closure $make): mixed;

    /**
     * @internal Runs a query of Larder's own as the last one of a snapshot, and so in the trip that ends it, if the
     * driver takes several statements at once. In a call within another one it does not end it.
     *
     * @return list<array<string, scalar|null>>
     *
     * @throws PDOException
     */
    public function receiveAtEnd(string $sql): array;

    /** @internal The reads of the innermost result that is being recorded. */
    public function recorded(): ?RecordedReads;

    /** @internal Whether the read transaction of a render or of a value is open. */
    public function inSnapshot(): bool;

    /** @internal By what name the second connection reads the snapshot that is open; null: by none. */
    public function exportedSnapshot(): ?string;

    /** @internal Whether a statement was run that may not have been read to its end. */
    public function hasStatements(): bool;

    /** @internal What the open transaction has written and nobody made known. */
    public function writes(): Writes;

    /**
     * @internal Says who makes known what this connection writes: it gets the names inside the transaction, and throws
     * LedgerUnavailable after a rollback.
     *
     * @param Closure(TrackedConnection, list<Dependency>): void $announce
     */
    public function announceBy(Closure $announce): void;

    /**
     * @internal Says who lets nobody store while a statement runs that commits by itself: it gets the tables that the
     * statement writes to, or null for all, and a closure that runs it.
     *
     * @param Closure(TrackedConnection, list<string>|null, Closure(): mixed): mixed $gate
     */
    public function gateBy(Closure $gate): void;

    /**
     * @internal Says who ends what others have stored of the rows that this connection changes.
     *
     * Right before COMMIT, when everything that changes is locked, $close gets the names of what changes, or null for
     * everything. It throws LedgerUnavailable if it cannot end it, and the transaction is rolled back. What it returns
     * runs after COMMIT, and not after a rollback.
     *
     * @param Closure(list<Dependency>|null): (Closure(): void) $close
     */
    public function closeBy(Closure $close): void;

    /**
     * @internal
     *
     * @return list<Closure(list<Dependency>|null): (Closure(): void)>
     */
    public function closers(): array;

    /** @internal What decides, beside the rows, which values a SELECT gives. */
    public function profile(): Profile;

    /**
     * Runs one statement, and returns all its rows.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @return list<array<string, mixed>>
     */
    public function select(string $sql, array $parameters = []): array;

    /**
     * @internal Runs queries of Larder's own as one message to the server, and so in one transaction.
     *
     * @param list<string>                  $before whose rows nobody wants
     * @param array<array-key, scalar|null> $parameters of the last query, in their order
     *
     * @return list<array<string, mixed>> the rows of the last one
     *
     * @throws PDOException of the first one that fails
     */
    public function receiveLast(array $before, string $sql, array $parameters = []): array;

    /** @internal What is known of the schema is out of date: it is read anew before the next write. */
    public function outdated(): void;

    /**
     * @internal Runs a writer's closure, which must not end the transaction.
     *
     * @template T
     *
     * @param Closure(): T $write
     *
     * @return T
     *
     * @throws NoTransaction   if it is over all the same
     * @throws UnfinishedWrite if $write returns a Generator
     */
    public function within(Closure $write): mixed;

    /** @internal @param Closure(): void $do runs after COMMIT, and does not throw */
    public function afterwards(Closure $do): void;

    /**
     * @internal Logs that changes could not be followed row by row, once for each table and cause.
     *
     * @param array<string, string> $causes by the table's name
     */
    public function say(array $causes): void;

    /** @internal */
    public function schema(): Schema;
}
