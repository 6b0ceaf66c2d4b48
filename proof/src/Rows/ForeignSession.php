<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use PDOException;

/** How a program that knows nothing of Larder changes the database. */
interface ForeignSession
{
    /**
     * @return int|null the first number of the result; null: there is no row
     *
     * @throws PDOException
     */
    public function number(string $sql): ?int;

    /**
     * @param non-empty-list<string> $statements
     *
     * @throws PDOException
     */
    public function run(array $statements): void;

    /** Ends a transaction whose outcome nobody knows, and the session with it. */
    public function end(): void;
}
