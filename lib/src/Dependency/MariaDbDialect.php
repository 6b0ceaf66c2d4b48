<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Dependency\Sql\Grammar;
use Larder\Dependency\Sql\MariaDbGrammar;
use PDO;
use PDOException;

/**
 * MariaDB 10.11 and later, with InnoDB. MySQL 8 speaks the same words, but nothing here was run on it.
 *
 * @see https://mariadb.com/kb/en/set-transaction/
 */
final readonly class MariaDbDialect implements Dialect
{
    private const DUPLICATES = [1022, 1062, 1169, 1586];
    private const REFERENCES = [1216, 1217, 1451, 1452];
    private const CHECKS = [1048, 4025, 3819];

    /** A lock that was waited for too long, or not at all; a deadlock; a row of a later state than the snapshot. */
    private const BUSY = [1205, 1213, 1020, 3572];

    public function grammar(): Grammar
    {
        return new MariaDbGrammar();
    }

    public function catalog(): Catalog
    {
        return new MariaDbCatalog();
    }

    public function locksRows(): bool
    {
        return true;
    }

    public function introduction(): array
    {
        return [
            'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
            'SET SESSION innodb_lock_wait_timeout = 1, SESSION lock_wait_timeout = 1',
            'SET NAMES utf8mb4',
        ];
    }

    public function options(): array
    {
        return [
            PDO::ATTR_TIMEOUT, PDO::MYSQL_ATTR_SSL_KEY, PDO::MYSQL_ATTR_SSL_CERT, PDO::MYSQL_ATTR_SSL_CA,
            PDO::MYSQL_ATTR_SSL_CAPATH, PDO::MYSQL_ATTR_SSL_CIPHER, PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT,
        ];
    }

    public function driver(): string
    {
        return 'mysql';
    }

    public function unopened(string $dsn, PDOException $exception): PDOException
    {
        return $exception;
    }

    public function clock(): string
    {
        return 'SELECT UNIX_TIMESTAMP()';
    }

    public function begin(): string
    {
        return 'START TRANSACTION';
    }

    /** A session below REPEATABLE READ gets no snapshot by the second statement alone, and no warning. */
    public function beginSnapshot(): array
    {
        return [
            'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
            'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
        ];
    }

    public function patience(int $milliseconds, int $usual): array
    {
        $set = 'SET SESSION innodb_lock_wait_timeout = %d';

        return [\sprintf($set, intdiv($milliseconds + 999, 1000)), \sprintf($set, intdiv($usual, 1000))];
    }

    public function usualPatience(): string
    {
        return 'SELECT @@SESSION.innodb_lock_wait_timeout * 1000';
    }

    public function isBusy(PDOException $exception): bool
    {
        return \in_array($exception->errorInfo[1] ?? null, self::BUSY, true);
    }

    public function isConstraint(PDOException $exception): bool
    {
        $codes = [...self::DUPLICATES, ...self::REFERENCES, ...self::CHECKS];

        return \in_array($exception->errorInfo[1] ?? null, $codes, true);
    }

    /** START TRANSACTION inside a transaction commits it, so that is never tried. */
    public function isNested(PDOException $exception): bool
    {
        return false;
    }

    public function quote(string $identifier): string
    {
        return '`' . str_replace('`', '``', $identifier) . '`';
    }

    public function insertIfAbsent(string $table, array $columns): string
    {
        return \sprintf(
            'INSERT IGNORE INTO %s (%s) VALUES (%s)',
            $table,
            implode(', ', $columns),
            implode(', ', array_fill(0, \count($columns), '?')),
        );
    }

    public function rowNumber(): string
    {
        return '';
    }

    public function isFound(string $column): string
    {
        return $column . ' IS NOT NULL';
    }

    public function changes(): string
    {
        return 'SELECT ROW_COUNT()';
    }

    public function lock(string $table): string
    {
        return '';
    }

    public function advice(): array
    {
        return [
            'query' => 'SELECT @@innodb_flush_log_at_trx_commit',
            'good' => '1',
            'remedy' => 'a page may outlive the entry that says what it was made from when the server dies: '
                . 'innodb_flush_log_at_trx_commit = 1',
        ];
    }

    public function schema(int $slots): array
    {
        return [];
    }
}
