<?php

declare(strict_types=1);

namespace Larder\Row;

use PDOException;

/**
 * @internal Reads rows that are to be stored: only while nobody is between a change of them and its COMMIT.
 *
 * A row is stored by a lease that was taken before it is read, and a change deletes the lease between its first lock
 * and its COMMIT. So a read that comes after that meets the lock, and one that came before it has lost its lease.
 */
interface Source
{
    /**
     * Asks whether rows may be stored at all: whether there is a ledger, so that writers tell what they change.
     *
     * @throws PDOException
     */
    public function isLedgered(): bool;

    /**
     * The rows of a query, if nobody changes them just now.
     *
     * @param list<scalar|null> $parameters
     * @param list<string>      $names      of Dependency that the rows are stored under
     * @param bool              $isOne      whether there is one row at most, so that no order has to be kept
     *
     * @return list<array<string, mixed>>|null null: somebody may change them
     *
     * @throws PDOException
     */
    public function free(string $sql, array $parameters, array $names, bool $isOne = false): ?array;
}
