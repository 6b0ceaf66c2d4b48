<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\PostgreSqlGrammar;
use PDO;
use PDOException;

/**
 * PostgreSQL 15 and later.
 *
 * @internal
 *
 * @see https://www.postgresql.org/docs/15/transaction-iso.html
 */
final readonly class PostgreSqlDialect implements LockingDialect
{
    /**
     * A lock that was not there at once or in time; a deadlock; a row of a later state than the snapshot; no room for
     * more locks.
     */
    private const BUSY = ['55P03', '57014', '40P01', '40001', '53200'];

    /** The planner knows nothing of small tables that change often, and would compile for 10 ms what takes 0.1. */
    private const SETTINGS = "; SET LOCAL lock_timeout = '%s'; SET LOCAL synchronous_commit = on; SET LOCAL jit = off"
        . "; SET LOCAL client_encoding = 'UTF8'";

    private const LEVEL = 'ISOLATION LEVEL READ COMMITTED, READ WRITE';

    private const OF_SNAPSHOT = "ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET TRANSACTION SNAPSHOT '%s'";

    /**
     * @param bool   $takesSeveral false: the second connection sends each statement by itself, for tests that look on
     * @param string $patience     for how long the second connection waits for a lock
     */
    public function __construct(private bool $takesSeveral = true, private string $patience = '1s') {}

    public function grammar(): Grammar
    {
        return new PostgreSqlGrammar();
    }

    public function catalog(): LockingCatalog
    {
        return new PostgreSqlCatalog();
    }

    public function choose(Closure $oneWriter, Closure $locking): mixed
    {
        return $locking($this);
    }

    public function outside(): string
    {
        return '';
    }

    public function atEnd(): null
    {
        return null;
    }

    public function lockRow(): string
    {
        return ' FOR UPDATE';
    }

    public function log(): RowLog
    {
        return RowLog::Logical;
    }

    public function commitsByItself(): bool
    {
        return false;
    }

    public function twoPhases(): string
    {
        return 'prepare transaction';
    }

    public function lockFound(bool $isUnique, bool $isDelete): string
    {
        return $isDelete ? ' FOR UPDATE' : ' FOR NO KEY UPDATE';
    }

    public function lockWritten(): string
    {
        return '';
    }

    public function countsSame(): bool
    {
        return true;
    }

    public function countsReturned(): bool
    {
        return true;
    }

    public function tellsUpsert(): bool
    {
        return false;
    }

    /** That is an error, which would end the transaction. */
    public function comparesTextWithNumber(): bool
    {
        return false;
    }

    public function makesKey(int|string|float|bool|null $value, bool $isParameter, bool $isNumbered): bool
    {
        return $value === 'default' && !$isParameter;
    }

    public function numbered(string $column, string $inserted, array $sequence): array
    {
        return [$column . ' = currval(?)', $sequence];
    }

    public function introduction(): array
    {
        return [];
    }

    public function once(): array
    {
        return [PDO::PGSQL_ATTR_DISABLE_PREPARES => true];
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

    public function several(array $options = []): Several
    {
        return Several::WithLastRows;
    }

    public function runsAsOne(): bool
    {
        return true;
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

    /** PDO asks by a query, which fails where no sequence was used. */
    public function hasLastNumber(): bool
    {
        return false;
    }

    public function failsWhole(): bool
    {
        return true;
    }

    public function afterError(PDOException $exception): string
    {
        return '';
    }

    public function runDeferred(): string
    {
        return 'SET CONSTRAINTS ALL IMMEDIATE';
    }

    public function session(): string
    {
        return "SELECT current_setting('standard_conforming_strings') AS mode, concat_ws('/', current_schema(),"
            . " current_setting('search_path'), current_user) AS home, 1 AS auto, 'utf8' AS charset,"
            . " pg_my_temp_schema()::bigint::text AS hidden, COALESCE(current_schema(), '') AS schema";
    }

    public function grammarOf(array $session, Closure $functions): Grammar
    {
        return new PostgreSqlGrammar(
            $session['schema'] === '' ? null : $session['schema'],
            $functions,
            $session['mode'] === 'on',
        );
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
            'check' => 'what the database committed outlives a crash of its machine',
            'query' => 'SHOW fsync',
            'good' => 'on',
            'remedy' => 'a page may outlive the entry that says what it was made from when the machine dies: '
                . 'fsync = on',
        ];
    }

    /** Its first number is that of the ledger's table. */
    public function advisoryLock(string $slot, bool $isShared, bool $waits): string
    {
        return \sprintf(
            "pg_%sadvisory_xact_lock%s('larder_ledger'::regclass::oid::int, %s)",
            $waits ? '' : 'try_',
            $isShared ? '_shared' : '',
            $slot,
        );
    }

    public function locks(array $slots, bool $isShared, bool $waits): string
    {
        $lock = $this->advisoryLock('s', $isShared, $waits);

        return \sprintf(
            "SELECT s FROM unnest('{%s}'::int[]) AS s WHERE %s",
            implode(', ', $slots),
            $waits ? "$lock::text IS NOT NULL" : $lock,
        );
    }

    public function raises(array $slots, int $number, bool $isShared, array $beside = []): array
    {
        return [
            ...($isShared || $beside === [] ? [] : [$this->locks($beside, true, true)]),
            $this->locks($isShared ? [...$beside, ...$slots] : $slots, $isShared, true),
            \sprintf(
                "INSERT INTO larder_raise (slot, raise) SELECT s, %d FROM unnest('{%s}'::int[]) AS s",
                $number,
                implode(', ', $slots),
            ),
        ];
    }

    public function freeRows(): string
    {
        return 'FOR UPDATE SKIP LOCKED';
    }

    /** One at a time, so that none waits for the rows that another one deletes. */
    public function compact(Connection $connection, array $slots, int $most): void
    {
        $connection->change(\sprintf(
            "WITH many AS (SELECT slot FROM larder_raise WHERE slot = ANY('{%s}') GROUP BY slot HAVING COUNT(*) > %d),"
                . ' gone AS (DELETE FROM larder_raise r USING many WHERE r.slot = many.slot'
                . " AND (SELECT pg_try_advisory_xact_lock('larder_raise'::regclass::oid::int, 0))"
                . ' RETURNING r.slot, r.raise)'
                . ' INSERT INTO larder_raise (slot, raise) SELECT slot, BIT_XOR(raise) FROM gone GROUP BY slot',
            implode(', ', $slots),
            $most,
        ));
    }

    public function isLocal(): string
    {
        return 'SELECT CASE WHEN inet_server_addr() IS NULL THEN 1 ELSE 0 END AS local';
    }

    /** beginSecond() says so. */
    public function durability(): string
    {
        return "CASE current_setting('synchronous_commit') WHEN 'off' THEN 0 ELSE 2 END";
    }

    /** By an administrator's word, for being idle, or without a word. */
    public function isClosed(PDOException $exception): bool
    {
        [$state, $code, $words] = [...$exception->errorInfo ?? [], null, null, null];

        return \in_array($state, ['57P01', '57P05', '08006', '08003'], true)
            || ($state === 'HY000' && $code === 7 && \is_string($words) && str_contains($words, 'connection'));
    }

    public function addTo(string $table, string $keys, string $sum): string
    {
        return \sprintf(
            'INSERT INTO %1$s (%2$s, %3$s) VALUES (%4$s) ON CONFLICT (%2$s) DO UPDATE'
                . ' SET %3$s = %1$s.%3$s + excluded.%3$s',
            $table,
            $keys,
            $sum,
            implode(', ', array_fill(0, substr_count($keys, ',') + 2, '?')),
        );
    }

    public function by(string $index): string
    {
        return '';
    }

    public function lastNumber(): string
    {
        return 'lastval()';
    }

    public function takesSeveral(): ?Several
    {
        return $this->takesSeveral ? Several::WithLastRows : null;
    }

    public function beginSecond(?string $snapshot = null): string
    {
        return 'BEGIN ' . $this->level($snapshot);
    }

    /** The statements of one text are one transaction. */
    public function alone(?string $snapshot = null): string
    {
        return 'SET TRANSACTION ' . $this->level($snapshot);
    }

    /** @see https://www.postgresql.org/docs/15/functions-admin.html#FUNCTIONS-SNAPSHOT-SYNCHRONIZATION */
    public function exportedSnapshot(): string
    {
        return 'pg_export_snapshot()';
    }

    public function delete(string $table): string
    {
        return "DELETE FROM $table t";
    }

    public function ownerLock(): null
    {
        return null;
    }

    public function gatesWithoutOwner(): null
    {
        return null;
    }

    public function account(): string
    {
        return 'quote_ident(CURRENT_USER)';
    }

    public function rights(): array
    {
        return [[
            'check' => 'the account of the database may number pages',
            'query' => "SELECT has_sequence_privilege('larder_page_id_seq', 'USAGE')::int AS has",
            'remedy' => 'so no page is stored: GRANT USAGE ON SEQUENCE larder_page_id_seq TO it',
            'isNeeded' => true,
        ]];
    }

    public function schema(int $slots): array
    {
        return [
            'CREATE TABLE IF NOT EXISTS larder_ledger (one INT PRIMARY KEY, id TEXT NOT NULL,'
                . ' generation BIGINT NOT NULL, registry TEXT NOT NULL, release TEXT NOT NULL, slots INT NOT NULL)',
            'CREATE TABLE IF NOT EXISTS larder_raise (slot INT NOT NULL, raise BIGINT NOT NULL,'
                . ' PRIMARY KEY (slot, raise))',
            'CREATE TABLE IF NOT EXISTS larder_gate (id BIGINT PRIMARY KEY, owner TEXT NOT NULL)',
            'CREATE TABLE IF NOT EXISTS larder_page (id BIGSERIAL PRIMARY KEY, page TEXT COLLATE "C" UNIQUE,'
                . ' draft TEXT NOT NULL, release TEXT COLLATE "C" NOT NULL, route TEXT COLLATE "C" NOT NULL,'
                . ' bytes BIGINT NOT NULL, expires BIGINT)',
            'CREATE INDEX IF NOT EXISTS larder_page_route ON larder_page (route, id)',
            'CREATE INDEX IF NOT EXISTS larder_page_expires ON larder_page (expires) WHERE expires IS NOT NULL',
            'CREATE TABLE IF NOT EXISTS larder_edge (name TEXT COLLATE "C" NOT NULL, page BIGINT NOT NULL,'
                . ' PRIMARY KEY (name, page))',
            'CREATE INDEX IF NOT EXISTS larder_edge_page ON larder_edge (page)',
            'CREATE TABLE IF NOT EXISTS larder_place (path TEXT COLLATE "C" PRIMARY KEY, served INT NOT NULL,'
                . ' since BIGINT NOT NULL)',
            'CREATE TABLE IF NOT EXISTS larder_set (id INT PRIMARY KEY, tbl TEXT COLLATE "C" NOT NULL,'
                . ' columns TEXT COLLATE "C" NOT NULL, UNIQUE (tbl, columns))',
            'CREATE TABLE IF NOT EXISTS larder_plan (life TEXT NOT NULL, version BIGINT NOT NULL,'
                . ' session TEXT NOT NULL, query TEXT NOT NULL, answer TEXT NOT NULL, made BIGINT NOT NULL,'
                . ' PRIMARY KEY (life, version, session, query))',
            'CREATE TABLE IF NOT EXISTS larder_route (route TEXT COLLATE "C" NOT NULL, part INT NOT NULL,'
                . ' bytes BIGINT NOT NULL, PRIMARY KEY (route, part))',
            \sprintf(
                'INSERT INTO larder_raise (slot, raise) SELECT %1$d, 1 WHERE NOT EXISTS'
                    . ' (SELECT 1 FROM larder_raise WHERE slot = %1$d)',
                self::SCHEMA,
            ),
        ];
    }

    private function level(?string $snapshot): string
    {
        return ($snapshot === null ? self::LEVEL : \sprintf(self::OF_SNAPSHOT, $snapshot))
            . \sprintf(self::SETTINGS, $this->patience);
    }
}
