<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Exception\LedgerUnavailable;
use PDOException;

/**
 * A connection to the database of the data, as Larder's own statements use it: nothing that runs by it is recorded.
 *
 * It is the application's own, with its transaction, or a second one of Larder's.
 */
interface Connection
{
    /**
     * @internal Runs a query.
     *
     * @param array<array-key, scalar|null> $parameters in their order
     *
     * @return list<array<string, scalar|null>> all its rows
     *
     * @throws PDOException
     */
    public function rows(string $sql, array $parameters = []): array;

    /**
     * @internal Runs a query that may be run again. The closure keeps it prepared, and so the connection open.
     *
     * @return array{list<array<string, scalar|null>>, Closure(): list<array<string, scalar|null>>} its rows; runs it
     *
     * @throws PDOException
     */
    public function repeatable(string $sql): array;

    /**
     * @internal Runs a statement that writes.
     *
     * @param array<array-key, scalar|null> $parameters in their order
     *
     * @return int how many rows it changed
     *
     * @throws PDOException
     * @throws LedgerUnavailable
     */
    public function change(string $sql, array $parameters = []): int;

    /** @internal The number of the row that was inserted last; what it is if none was, depends on the database. */
    public function lastId(): int;

    /** @internal */
    public function dialect(): Dialect;
}
