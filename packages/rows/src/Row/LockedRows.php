<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Sql\Tracker\OwnStatements;
use PDOException;

/**
 * @internal MariaDB: a read that locks what it finds and does not wait. It sees what is committed, and is refused where
 * a row, or the place of a row that comes or goes, is locked by a writer. In autocommit its own locks end with it.
 *
 * @see https://mariadb.com/kb/en/wait-and-nowait/
 */
final readonly class LockedRows implements Source
{
    /** SQLSTATE of a table that is not there. */
    private const ABSENT = '42S02';

    private const LOCK = ' LOCK IN SHARE MODE NOWAIT';

    public function __construct(private OwnStatements $connection) {}

    public function isLedgered(): bool
    {
        try {
            return $this->connection->rows('SELECT one FROM larder_ledger') !== [];
        } catch (PDOException $exception) {
            return ($exception->errorInfo[0] ?? null) === self::ABSENT ? false : throw $exception;
        }
    }

    public function free(string $sql, array $parameters, array $names, bool $isOne = false): ?array
    {
        try {
            return $this->connection->rows($sql . self::LOCK, $parameters);
        } catch (PDOException $exception) {
            return $this->connection->dialect()->isBusy($exception) ? null : throw $exception;
        }
    }
}
