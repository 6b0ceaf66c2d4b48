<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Dependency\Sql\Grammar;
use Larder\Dependency\Sql\PostgreSqlGrammar;
use PDOException;

/**
 * PostgreSQL 15 and later.
 *
 * @see https://www.postgresql.org/docs/15/transaction-iso.html
 */
final readonly class PostgreSqlDialect implements Dialect
{
    /** A lock that was not there at once or in time; a deadlock; a row of a later state than the snapshot. */
    private const BUSY = ['55P03', '57014', '40P01', '40001'];

    public function grammar(): Grammar
    {
        return new PostgreSqlGrammar();
    }

    public function catalog(): Catalog
    {
        return new PostgreSqlCatalog();
    }

    public function locksRows(): bool
    {
        return true;
    }

    public function introduction(): array
    {
        return [
            'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
            "SET lock_timeout = '1s'",
            'SET synchronous_commit = on',
            "SET client_encoding = 'UTF8'",
        ];
    }

    public function options(): array
    {
        return [];
    }

    public function driver(): string
    {
        return 'pgsql';
    }

    public function unopened(string $dsn, PDOException $exception): PDOException
    {
        return $exception;
    }

    public function clock(): string
    {
        return 'SELECT floor(extract(epoch FROM clock_timestamp()))::bigint';
    }

    public function begin(): string
    {
        return 'BEGIN';
    }

    public function beginSnapshot(): array
    {
        return ['BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'];
    }

    public function patience(int $milliseconds, int $usual): array
    {
        return [\sprintf('SET lock_timeout = %d', $milliseconds), \sprintf('SET lock_timeout = %d', $usual)];
    }

    public function usualPatience(): string
    {
        return "SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'";
    }

    public function isBusy(PDOException $exception): bool
    {
        return \in_array($exception->errorInfo[0] ?? null, self::BUSY, true);
    }

    /** Class 23: integrity constraint violation. */
    public function isConstraint(PDOException $exception): bool
    {
        $state = $exception->errorInfo[0] ?? null;

        return \is_string($state) && str_starts_with($state, '23');
    }

    /** BEGIN inside a transaction is a warning only. */
    public function isNested(PDOException $exception): bool
    {
        return false;
    }

    public function quote(string $identifier): string
    {
        return '"' . str_replace('"', '""', $identifier) . '"';
    }

    public function insertIfAbsent(string $table, array $columns): string
    {
        return \sprintf(
            'INSERT INTO %s (%s) VALUES (%s) ON CONFLICT DO NOTHING',
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
        return \sprintf('CASE WHEN %s IS NULL THEN 0 ELSE 1 END', $column);
    }

    public function changes(): string
    {
        return '';
    }

    public function lock(string $table): string
    {
        return '';
    }

    public function advice(): array
    {
        return [
            'query' => 'SHOW fsync',
            'good' => 'on',
            'remedy' => 'a page may outlive the entry that says what it was made from when the machine dies: fsync = on',
        ];
    }

    public function schema(int $slots): array
    {
        return [];
    }
}
