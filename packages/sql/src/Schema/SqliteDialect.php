<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Dependency\PdoSource;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\SqliteGrammar;
use PDO;
use PDOException;

/**
 * SQLite 3.35 and later, in WAL mode for readers beside a writer.
 *
 * SQLite has one writer at a time, so BEGIN IMMEDIATE takes every lock of the algorithm.
 *
 * @internal
 *
 * @see https://sqlite.org/lang_transaction.html BEGIN IMMEDIATE, snapshots of WAL readers
 */
final readonly class SqliteDialect implements Dialect
{
    private const ERROR = 1;
    private const BUSY = 5;
    private const LOCKED = 6;
    private const CONSTRAINT = 19;

    public function grammar(): Grammar
    {
        return new SqliteGrammar();
    }

    public function catalog(): Catalog
    {
        return new SqliteCatalog();
    }

    public function begin(): string
    {
        return 'BEGIN IMMEDIATE';
    }

    public function choose(Closure $oneWriter, Closure $locking): mixed
    {
        return $oneWriter();
    }

    public function outside(): string
    {
        return PdoSource::OUTSIDE;
    }

    public function atEnd(): array
    {
        return PdoSource::AT_END;
    }

    public function lockRow(): string
    {
        return '';
    }

    public function log(): null
    {
        return null;
    }

    public function introduction(): array
    {
        return ['PRAGMA busy_timeout = 1000'];
    }

    public function once(): array
    {
        return [];
    }

    public function options(): array
    {
        return [];
    }

    public function driver(): string
    {
        return 'sqlite';
    }

    public function unopened(string $dsn, PDOException $exception): PDOException
    {
        $named = new PDOException(\sprintf(
            '%s: %s. Does its directory exist, and may this user write there?',
            $exception->getMessage(),
            substr($dsn, \strlen('sqlite:')),
        ), previous: $exception);
        $named->errorInfo = $exception->errorInfo;

        return $named;
    }

    public function clock(): string
    {
        return "SELECT CAST(strftime('%s', 'now') AS INTEGER)";
    }

    public function beginSnapshot(): array
    {
        return ['BEGIN'];
    }

    public function patience(int $milliseconds, int $usual): array
    {
        return [\sprintf('PRAGMA busy_timeout = %d', $milliseconds), \sprintf('PRAGMA busy_timeout = %d', $usual)];
    }

    public function usualPatience(): string
    {
        return 'PRAGMA busy_timeout';
    }

    public function isBusy(PDOException $exception): bool
    {
        $code = $exception->errorInfo[1] ?? null;

        return \is_int($code) && \in_array($code & 0xFF, [self::BUSY, self::LOCKED], true);
    }

    public function isConstraint(PDOException $exception): bool
    {
        $code = $exception->errorInfo[1] ?? null;

        return \is_int($code) && ($code & 0xFF) === self::CONSTRAINT;
    }

    public function isNested(PDOException $exception): bool
    {
        return ($exception->errorInfo[1] ?? null) === self::ERROR;
    }

    public function isClosed(PDOException $exception): bool
    {
        return false;
    }

    public function beginSecond(?string $snapshot = null): string
    {
        return $this->begin();
    }

    public function alone(?string $snapshot = null): string
    {
        return '';
    }

    public function exportedSnapshot(): null
    {
        return null;
    }

    public function takesSeveral(): null
    {
        return null;
    }

    public function several(array $options = []): null
    {
        return null;
    }

    public function runsAsOne(): bool
    {
        return false;
    }

    public function leavesRows(): bool
    {
        return false;
    }

    public function isUnbuffered(PDO $connection): bool
    {
        return false;
    }

    public function first(array $options): string
    {
        return '';
    }

    public function hasLastNumber(): bool
    {
        return false;
    }

    public function failsWhole(): bool
    {
        return false;
    }

    public function afterError(PDOException $exception): string
    {
        return '';
    }

    public function runDeferred(): string
    {
        return '';
    }

    public function session(): string
    {
        return '';
    }

    public function grammarOf(array $session, Closure $functions): Grammar
    {
        return $this->grammar();
    }

    public function quote(string $identifier): string
    {
        return '"' . str_replace('"', '""', $identifier) . '"';
    }

    public function insertIfAbsent(string $table, array $columns): string
    {
        return \sprintf(
            'INSERT OR IGNORE INTO %s (%s) VALUES (%s)',
            $table,
            implode(', ', $columns),
            implode(', ', array_fill(0, \count($columns), '?')),
        );
    }

    public function rowNumber(): string
    {
        return 'rowid';
    }

    /** PDO returns a BLOB as a string, which then is a text. */
    public function isFound(string $column): string
    {
        return \sprintf("typeof(%s) IN ('integer', 'text')", $column);
    }

    public function changes(): string
    {
        return 'SELECT changes()';
    }

    public function lock(string $table): string
    {
        return \sprintf('DELETE FROM %s WHERE 0', $table);
    }

    public function advice(): array
    {
        return [
            'check' => 'the database is set up for readers beside a writer',
            'query' => 'PRAGMA journal_mode',
            'good' => 'wal',
            'remedy' => 'readers and the writer block each other: PRAGMA journal_mode = WAL',
        ];
    }

    public function schema(int $slots): array
    {
        return [
            'CREATE TABLE IF NOT EXISTS larder_ledger (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL,'
                . ' generation INTEGER NOT NULL, registry TEXT NOT NULL, release TEXT NOT NULL,'
                . ' slots INTEGER NOT NULL)',
            'CREATE TABLE IF NOT EXISTS larder_slot (slot INTEGER PRIMARY KEY, version INTEGER NOT NULL)',
            'CREATE TABLE IF NOT EXISTS larder_page (id INTEGER PRIMARY KEY, page TEXT NOT NULL UNIQUE,'
                . ' draft TEXT NOT NULL, release TEXT NOT NULL, route TEXT NOT NULL, bytes INTEGER NOT NULL,'
                . ' generation INTEGER NOT NULL, expires INTEGER)',
            'CREATE INDEX IF NOT EXISTS larder_page_route ON larder_page (route, generation)',
            'CREATE INDEX IF NOT EXISTS larder_page_expires ON larder_page (expires) WHERE expires IS NOT NULL',
            'CREATE TABLE IF NOT EXISTS larder_edge (name TEXT NOT NULL, page INTEGER NOT NULL,'
                . ' PRIMARY KEY (name, page)) WITHOUT ROWID',
            'CREATE INDEX IF NOT EXISTS larder_edge_page ON larder_edge (page)',
            'CREATE TABLE IF NOT EXISTS larder_place (path TEXT PRIMARY KEY, served INTEGER NOT NULL,'
                . ' since INTEGER NOT NULL) WITHOUT ROWID',
            'CREATE TABLE IF NOT EXISTS larder_set (id INTEGER NOT NULL PRIMARY KEY, tbl TEXT NOT NULL,'
                . ' columns TEXT NOT NULL, UNIQUE (tbl, columns)) WITHOUT ROWID',
            'CREATE TABLE IF NOT EXISTS larder_route (route TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID',
            \sprintf(
                'INSERT OR IGNORE INTO larder_slot (slot, version) WITH RECURSIVE n(slot) AS'
                . ' (SELECT 0 UNION ALL SELECT slot + 1 FROM n WHERE slot < %d) SELECT slot, 0 FROM n',
                $slots - 1,
            ),
            \sprintf('INSERT OR IGNORE INTO larder_slot (slot, version) VALUES (%d, -1)', self::SCHEMA),
        ];
    }
}
