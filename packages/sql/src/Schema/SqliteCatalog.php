<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\SqliteGrammar;
use Larder\Sql\Reading\Write;

/** @internal The schema of an SQLite database, by its pragmas and sqlite_master. */
final readonly class SqliteCatalog implements Catalog
{
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

    public function uniques(string $table): array
    {
        return [<<<'SQL'
            WITH c AS (SELECT lower(name) AS name, pk, dflt_value IS NOT NULL OR hidden > 0 AS made
                FROM pragma_table_xinfo(?1))
            SELECT i.name, lower(x.name) AS "column", x.coll AS collation, coalesce(c.made, 1) AS made
            FROM pragma_index_list(?1) i JOIN pragma_index_xinfo(i.name) x ON x.key
                LEFT JOIN c ON c.name = lower(x.name)
            WHERE i."unique"
            UNION ALL SELECT '', name, 'BINARY', made FROM c WHERE pk = 1 AND (SELECT max(pk) FROM c) = 1
            SQL, [$table]];
    }

    public function tables(): string
    {
        return <<<'SQL'
            SELECT name, sql, sql LIKE 'CREATE VIRTUAL%' AS virtual,
                (SELECT encoding = 'UTF-8' FROM pragma_encoding) AS utf8,
                lower(name) IN (SELECT lower(name) FROM sqlite_temp_master WHERE type IN ('table', 'view')) AS hidden,
                1 AS ordinary, NULL AS engine
            FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
            SQL;
    }

    public function views(): string
    {
        return <<<'SQL'
            SELECT name, sql, 'main' AS home FROM sqlite_master
            WHERE type = 'view' AND lower(name) NOT IN (SELECT lower(name) FROM sqlite_temp_master)
            SQL;
    }

    public function viewGrammar(string $home): SqliteGrammar
    {
        return new SqliteGrammar();
    }

    public function columns(): string
    {
        return <<<'SQL'
            SELECT lower(name) AS name, upper(type) AS type, name AS written, "notnull" AS required, pk AS "key",
                (SELECT x.coll FROM pragma_index_list(?1) l, pragma_index_xinfo(l.name) x
                WHERE l.origin = 'pk' AND x."key" = 1) AS "unique", NULL AS collation
            FROM pragma_table_xinfo(?1)
            SQL;
    }

    public function allColumns(): string
    {
        return '';
    }

    public function tableText(): string
    {
        return "SELECT sql FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)";
    }

    /** A trigger's text says what it writes. */
    public function triggers(array $rows, array $tables, array $unclear): array
    {
        $triggers = [];
        foreach ($rows as $row) {
            $tokens = Lexer::tokens((string) $row['sql'], new SqliteGrammar());
            $triggers[strtolower((string) $row['name'])][] = $tokens === null
                ? [[Write::INSERT, Write::UPDATE, Write::DELETE], null]
                : Write::ofTrigger($tokens);
        }

        return $triggers;
    }

    public function unseen(): string
    {
        return '';
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
            ColumnType::TextNoCase, ColumnType::AsciiNoCase, ColumnType::AsciiPaddedNoCase
                => $isText && ($isBytewise || $collation === 'NOCASE'),
            default => $isText && $isBytewise,
        };
    }
}
