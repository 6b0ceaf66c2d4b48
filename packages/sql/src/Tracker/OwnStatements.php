<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Connection;
use PDO;
use PDOException;

/**
 * @internal Larder's own statements on the application's connection, in its transaction. They run by the methods of
 * PHP's own class, so nothing looks at them, and lastInsertId() stays that of the application's statement.
 *
 * It knows the connection, and does not keep it: the connection keeps whoever has this.
 */
interface OwnStatements extends Connection
{
    /**
     * Runs a statement that returns no rows.
     *
     * @throws PDOException
     */
    public function send(string $sql): int|false;

    /**
     * Runs statements that are sent to the server at once, and run one after the other.
     *
     * @param non-empty-list<string> $statements of which only the last ones are queries; on PostgreSQL the last one
     *
     * @return list<list<array<string, scalar|null>>>|null the rows of each; null: it takes only one, and none ran
     *
     * @throws PDOException of the first one that fails
     */
    public function together(array $statements): ?array;

    /**
     * Runs queries as one message to the server, and so in one transaction.
     *
     * @param list<string>                  $before whose rows nobody wants
     * @param array<array-key, scalar|null> $parameters of the last query, in their order
     *
     * @return list<array<string, mixed>> the rows of the last one
     *
     * @throws PDOException of the first one that fails
     */
    public function last(array $before, string $sql, array $parameters = []): array;

    /**
     * Begins a transaction of Larder's own.
     *
     * @param non-empty-list<string>|null $statements that begin it; null: as the dialect says
     *
     * @throws NoTransaction     if one is open that no method has begun
     * @throws InvalidConnection if another database was selected than methods have
     * @throws PDOException
     */
    public function begin(?array $statements = null): void;

    /**
     * Sees to it that the driver can answer for a statement of the application, though others are going to follow it.
     *
     * @throws LedgerUnavailable if it cannot
     */
    public function mustAnswer(): void;

    /** Whether a function of PHP can end a transaction of this connection, and the driver does not say so. */
    public function mayEndUnseen(): bool;

    /** Asks whether the transaction is still open that methods have begun. */
    public function isStillOpen(): bool;

    /** Asks whether the session is in a transaction, or in a database, that no method has begun or selected. */
    public function hasStrayed(): bool;

    /** Whether a statement begins a transaction by itself, as autocommit = 0 says, unless a function took that back. */
    public function beginsByItself(): bool;

    /** The number of the row that the last statement inserted, of whoever. */
    public function insertedId(): string;

    /** Whether the server says that a transaction is open, which is not Larder's own read transaction. */
    public function isServerInTransaction(): bool;

    /** Whether rows stay at the server until they are fetched, so that no other statement can run. */
    public function isUnbuffered(): bool;

    /**
     * Opens another connection to the same database, and does not keep this one.
     *
     * @return Closure(): PDO
     */
    public function another(): Closure;
}
