<?php

declare(strict_types=1);

namespace Larder\Dependency;

use PDOException;

/**
 * SQLite 3.35 and later, in WAL mode for readers beside a writer.
 *
 * SQLite has one writer at a time, so BEGIN IMMEDIATE takes every lock of the algorithm.
 *
 * @see https://sqlite.org/lang_transaction.html BEGIN IMMEDIATE, snapshots of WAL readers
 */
final readonly class SqliteDialect implements Dialect
{
    private const ERROR = 1;
    private const BUSY = 5;
    private const LOCKED = 6;
    private const CONSTRAINT = 19;

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

    public function begin(): string
    {
        return 'BEGIN IMMEDIATE';
    }

    public function beginSnapshot(): string
    {
        return 'BEGIN';
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

    public function tableQuery(): string
    {
        return "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)";
    }

    public function schemaVersion(): string
    {
        return 'PRAGMA schema_version';
    }

    public function schemaNumber(): string
    {
        return '(SELECT schema_version FROM pragma_schema_version)';
    }

    public function sideEffects(): string
    {
        return <<<'SQL'
            SELECT 'key' AS kind, lower(f."table") AS name, lower(m.name) AS other,
                lower(coalesce(f."to", (SELECT p.name FROM pragma_table_info(f."table") p WHERE p.pk = 1))) AS referred,
                CASE WHEN NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name) g WHERE g.id = f.id AND g.seq > 0)
                THEN lower(f."from") END AS referring, f.on_update, f.on_delete, NULL AS sql,
                (SELECT count(DISTINCT CASE WHEN type LIKE '%INT%' THEN 1
                    WHEN type LIKE '%CHAR%' OR type LIKE '%CLOB%' OR type LIKE '%TEXT%' THEN 2
                    WHEN type LIKE '%BLOB%' OR type = '' THEN 3
                    WHEN type LIKE '%REAL%' OR type LIKE '%FLOA%' OR type LIKE '%DOUB%' THEN 4 ELSE 5 END) = 1
                FROM (SELECT type FROM pragma_table_xinfo(m.name) c WHERE lower(c.name) = lower(f."from")
                    UNION ALL SELECT type FROM pragma_table_xinfo(f."table") p
                    WHERE CASE WHEN f."to" IS NULL THEN p.pk = 1 ELSE lower(p.name) = lower(f."to") END)) AS alike
            FROM pragma_foreign_keys k, sqlite_master m, pragma_foreign_key_list(m.name) f
            WHERE k.foreign_keys AND m.type = 'table'
            UNION ALL SELECT 'trigger', lower(tbl_name), NULL, NULL, NULL, NULL, NULL, sql, NULL FROM sqlite_master
            WHERE type = 'trigger'
            UNION ALL SELECT 'trigger', lower(tbl_name), NULL, NULL, NULL, NULL, NULL, sql, NULL FROM sqlite_temp_master
            WHERE type = 'trigger'
            UNION ALL SELECT 'replace', lower(name), NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM sqlite_master
            WHERE type = 'table' AND sql LIKE '%conflict%replace%'
            UNION ALL SELECT 'conflict', lower(name), NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM sqlite_master
            WHERE type = 'table' AND sql LIKE '%conflict%'
            UNION ALL SELECT 'table', lower(name), CASE WHEN sql NOT LIKE '%rowid%' THEN 'number' END, NULL, NULL, NULL,
                NULL, NULL, NULL FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'create virtual%'
            UNION ALL SELECT 'ledger', name, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM sqlite_master
            WHERE name = 'larder_ledger'
            SQL;
    }

    public function uniques(): string
    {
        return <<<'SQL'
            WITH c AS (SELECT lower(name) AS name, pk, dflt_value IS NOT NULL OR hidden > 0 AS made
                FROM pragma_table_xinfo(?1))
            SELECT i.name, lower(x.name) AS "column", x.coll AS collation, coalesce(c.made, 1) AS made
            FROM pragma_index_list(?1) i JOIN pragma_index_xinfo(i.name) x ON x.key
                LEFT JOIN c ON c.name = lower(x.name)
            WHERE i."unique"
            UNION ALL SELECT '', name, 'BINARY', made FROM c WHERE pk = 1 AND (SELECT max(pk) FROM c) = 1
            SQL;
    }

    public function tables(): string
    {
        return <<<'SQL'
            SELECT name, sql, sql LIKE 'CREATE VIRTUAL%' AS virtual,
                (SELECT encoding = 'UTF-8' FROM pragma_encoding) AS utf8,
                lower(name) IN (SELECT lower(name) FROM sqlite_temp_master WHERE type IN ('table', 'view')) AS hidden
            FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
            SQL;
    }

    public function columns(): array
    {
        return [
            'columns' => <<<'SQL'
                SELECT lower(name) AS name, upper(type) AS type, name AS written, "notnull" AS required, pk AS "key",
                    (SELECT x.coll FROM pragma_index_list(?1) l, pragma_index_xinfo(l.name) x
                    WHERE l.origin = 'pk' AND x."key" = 1) AS "unique"
                FROM pragma_table_xinfo(?1)
                SQL,
            'text' => "SELECT sql FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)",
        ];
    }

    /**
     * The rules for a column's affinity, in their order.
     *
     * @see https://sqlite.org/datatype3.html section 3.1
     */
    public function typeOf(string $declared, string $collation): ?ColumnType
    {
        return match (true) {
            str_contains($declared, 'INT') => ColumnType::Integer,
            preg_match('/CHAR|CLOB|TEXT/', $declared) !== 1 => null,
            \in_array($collation, ['', 'BINARY'], true) => ColumnType::Text,
            $collation === 'NOCASE' => ColumnType::TextNoCase,
            default => null,
        };
    }

    /**
     * A column's affinity decides: with a numeric one '01' finds 1, with another one it does not.
     *
     * @see https://sqlite.org/datatype3.html section 3.1
     */
    public function fits(ColumnType $type, string $declared, string $collation): bool
    {
        $isBytewise = \in_array($collation, ['', 'BINARY'], true);
        $isText = !str_contains($declared, 'INT')
            && ($declared === '' || preg_match('/CHAR|CLOB|TEXT|BLOB/', $declared) === 1);

        return match ($type) {
            ColumnType::Integer => $isBytewise || !$isText,
            ColumnType::Text => $isText && $isBytewise,
            ColumnType::TextNoCase => $isText && ($isBytewise || $collation === 'NOCASE'),
        };
    }

    public function advice(): array
    {
        return [
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

    /** For SQLite a statement ends at a NUL. Here a NUL fits no token. */
    public function token(): string
    {
        return <<<'PCRE'
            ~\G(?:(?:\s+|--[^\n]*+(?:\n|\z)|/\*.*?\*/)(*MARK:skip)
            |[xX]?'(?:[^']|'')*+'(*MARK:string)
            |(?:"(?:[^"]|"")*+"|`(?:[^`]|``)*+`|\[[^\]]*+\])(*MARK:quoted)
            |[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*+(*MARK:word)
            |(?:[0-9][0-9A-Za-z_.]*+(?:(?<=[eE])[+-][0-9]++)?|\.[0-9]++(?:[eE][+-]?[0-9]++)?)(*MARK:number)
            |(?:\?[0-9]*+|[:@$][A-Za-z0-9_\x80-\xff]++)(*MARK:parameter)
            |(?:/(?!\*)|[-+*%<>=!|&\~(),;.])(*MARK:sign))~xs
            PCRE;
    }

    public function unquote(string $identifier): string
    {
        $quote = $identifier[0];
        $inner = substr($identifier, 1, -1);

        return $quote === '[' ? $inner : str_replace($quote . $quote, $quote, $inner);
    }

    /** A function of time that is not given a column, a plain text or a number may be asking for the clock. */
    public function isVolatile(string $word, ?array $arguments): bool
    {
        if ($arguments === null) {
            return \in_array($word, ['current_date', 'current_time', 'current_timestamp'], true);
        }
        $times = match ($word) {
            'date', 'time', 'datetime', 'julianday', 'unixepoch' => [0],
            'strftime' => [1],
            'timediff' => [0, 1],
            default => [],
        };
        foreach ($times as $time) {
            $tokens = $arguments[$time] ?? [];
            $last = $tokens[array_key_last($tokens) ?? 0] ?? ['', ''];
            $isName = \count($tokens) === 1 || (\count($tokens) === 3 && $tokens[1] === ['sign', '.']);
            if (!$isName || !\in_array($last[0], ['word', 'quoted', 'string', 'number'], true)
                || trim($last[1], "'") === 'now') {
                return true;
            }
        }

        return \in_array($word, ['random', 'randomblob', 'last_insert_rowid', 'changes', 'total_changes'], true);
    }

    public function isTableFunction(string $name): bool
    {
        return \in_array($name, ['json_each', 'json_tree'], true);
    }
}
