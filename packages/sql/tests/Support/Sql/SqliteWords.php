<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** SQL of SQLite. */
final readonly class SqliteWords implements Words
{
    private const INTEGERS = ['0', '1', '1', '2', '2', '3', '3', '4', '4', '5', '6', '-1', '9007199254740993'];
    private const NUMBERS = ['0', '1', '2', '4', '1.5', '2.0', '-0.5', '1e1'];
    private const TEXTS = ["'a'", "'a'", "'A'", "'b'", "'b'", "'ab'", "'B'", "'c'", "'a '", "''", "'1'", "'01'", "'é'"];

    public function parameters(): array
    {
        return ['' => 45, '?' => 30, ':' => 13, '?1' => 4, 'mixed' => 2, '@' => 3, '$' => 3];
    }

    public function literals(Column $column): array
    {
        return match (true) {
            $column->holdsText() => self::TEXTS,
            $column->holdsIntegers(), $column->type === 'BOOLEAN' => self::INTEGERS,
            $column->type === '', $column->type === 'BLOB' => [...self::INTEGERS, ...self::TEXTS, "x'61'", "x''"],
            default => self::NUMBERS,
        };
    }

    public function strange(Column $column): array
    {
        return [
            'NULL', "'4'", "'04'", "' 4'", "'4.0'", '4.0', '4e0', '0x4', '+4', '- 4', '-4', "x'61'", 'true', 'false',
            '2 + 2', "'a' || ''", "'4abc'", '4611686018427387904', '9223372036854775808', "'1e0'", '(4)', "('a')",
            '1.0', "CAST(4 AS TEXT)", "abs(-4)", "'it''s'", "\"4\"", "'a' COLLATE NOCASE", "4 -- four\n", '/* a */ 4',
            '00004', "'?'", "':a'", '1_', '.5', '-0', "''''",
        ];
    }

    public function bound(Column $column): array
    {
        return [
            0, 1, 2, 3, 4, 5, -1, '0', '1', '4', '04', ' 4', '4.0', 4.0, 1.5, 'a', 'A', 'b', 'B', 'ab', 'a ', '', null,
            true, false, 'c', 'é', '9223372036854775808', "it's", '1e0',
        ];
    }

    public function own(Column $column): array
    {
        return $column->holdsText() ? ['a', 'A', 'b', 'B', 'ab', 'c', '1', 'a '] : [0, 1, 2, 3, 4, 5];
    }

    public function isStrict(): bool
    {
        return false;
    }

    public function areAlike(Column $one, Column $other): bool
    {
        return $one->holdsText() === $other->holdsText();
    }

    public function quoted(string $name): array
    {
        return ["\"$name\"", "[$name]", "`$name`"];
    }

    public function qualified(string $table): array
    {
        return ["main.$table"];
    }

    public function hidden(): array
    {
        return ['rowid', '_rowid_', 'oid'];
    }

    public function comparisons(Column $column): array
    {
        return ['=' => 60, '==' => 4, '<' => 6, '>=' => 6, '<>' => 5, '!=' => 2, 'IS' => 5, 'IS NOT' => 2,
            'LIKE' => 4, 'GLOB' => 1, 'NOT LIKE' => 1, 'IS NOT DISTINCT FROM' => 2, 'IS DISTINCT FROM' => 1,
            '&' => 1];
    }

    public function connectives(): array
    {
        return ['AND' => 68, 'OR' => 22, '=' => 3, '<>' => 2, 'IS' => 2, '||' => 1, '<' => 1, '+' => 1];
    }

    public function nulls(): array
    {
        return [' IS NULL', ' IS NOT NULL', ' ISNULL', ' NOTNULL', ' NOT NULL', ' = NULL'];
    }

    public function joins(): array
    {
        return [',' => 22, 'JOIN' => 20, 'INNER JOIN' => 8, 'CROSS JOIN' => 5, 'LEFT JOIN' => 25,
            'LEFT OUTER JOIN' => 3, 'RIGHT JOIN' => 6, 'FULL JOIN' => 5, 'NATURAL JOIN' => 3, 'NATURAL LEFT JOIN' => 2];
    }

    public function compounds(): array
    {
        return ['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT'];
    }

    public function materialized(): array
    {
        return ['', '', 'MATERIALIZED ', 'NOT MATERIALIZED '];
    }

    public function aggregates(string $name, Column $column): array
    {
        return ["sum($name)", "count($name)", "count(DISTINCT lower($name))", "max(typeof($name))",
            "min(length($name))", "max(abs($name))"];
    }

    public function traps(Column $column): array
    {
        return ['%s = %s = 0', '%s = %s IN (0)', '%s = %s IS NOT NULL', '%s = %s IS NULL', 'NOT %s = %s',
            '%s = %s COLLATE NOCASE', '+%s = %s', 'CAST(%s AS TEXT) = %s', '%s = %s + 0', '%s = -%s', "%s = %s || ''",
            '%s = %s BETWEEN 0 AND 1', '(%s, 1) = (%s, 1)', '(%s, 1) IN (VALUES (%s, 1))',
            'CASE %s WHEN %s THEN 1 ELSE 0 END', 'CASE %s WHEN %s THEN 1 ELSE 2 END = 1',
            '%s = +%s', '%s = (%s)', '((%s) = (%s))', '%s = %s ISNULL',
            '%s = ~%s', '%s = %s & 7', '%s COLLATE NOCASE = %s', '%s = %s COLLATE BINARY', 'lower(%s) = %s',
            '%s = %s IS 0', '%s = %s AND 0', '%s = %s % 5', 'coalesce(%s, 1) = %s', 'iif(%s = %s, 0, 1)',
            '%s = %s NOT NULL', '%s IS %s = 1', '%s IN (%s) = 0', '(%s = %s) = 0', '(%s = %s) IS NOT TRUE',
            '%s IS NOT DISTINCT FROM %s', '%s = CAST(%s AS INTEGER)', '%s NOT BETWEEN 0 AND 3 AND 1 = %s',
            '%s BETWEEN 0 AND 3 = %s', '%s = %s IS NOT FALSE', '%s -> 0 = %s', "%s = %s ESCAPE ''",
            '%s = %s = 1', 'not %s in (%s)', '%s = %s NOT IN (1)', '%s LIKE %s = 0', '-%s = %s', '%s = %s LIKE 0'];
    }

    public function alternatives(): array
    {
        return ['%s = %s OR 0', '1 OR %s = %s'];
    }

    public function begins(): array
    {
        return ['BEGIN', 'BEGIN IMMEDIATE', 'begin exclusive transaction'];
    }

    public function ends(bool $rollsBack): array
    {
        return $rollsBack ? ['ROLLBACK', 'rollback transaction'] : ['COMMIT', 'END'];
    }

    public function introductions(): array
    {
        return ['PRAGMA defer_foreign_keys = ON'];
    }

    public function inserts(): array
    {
        return ['INSERT INTO' => 60, 'INSERT OR IGNORE INTO' => 8, 'REPLACE INTO' => 8, 'INSERT OR REPLACE INTO' => 10,
            'INSERT OR ABORT INTO' => 2, 'INSERT OR FAIL INTO' => 4, 'INSERT OR ROLLBACK INTO' => 2];
    }

    public function defaults(string $verb, string $table): string
    {
        return "$verb $table DEFAULT VALUES";
    }

    public function upserts(array $key, string $table, Column $column): array
    {
        $name = $column->name;
        $upserts = [];
        foreach (['', $key === [] ? '' : ' (' . implode(', ', $key) . ')', ' (a)', ' (a, b)'] as $target) {
            foreach (['', '', '', '', " WHERE $table.$name IS NOT NULL"] as $where) {
                array_push(
                    $upserts,
                    " ON CONFLICT$target DO NOTHING",
                    " ON CONFLICT$target DO UPDATE SET $name = excluded.$name$where",
                    " ON CONFLICT$target DO UPDATE SET a = 3$where",
                    " ON CONFLICT$target DO UPDATE SET $name = $name || 1$where",
                    " ON CONFLICT$target DO UPDATE SET a = 4$where ON CONFLICT DO UPDATE SET $name = excluded.$name",
                );
            }
        }

        return $upserts;
    }

    public function updates(): array
    {
        return ['UPDATE' => 80, 'UPDATE OR IGNORE' => 6, 'UPDATE OR REPLACE' => 8, 'UPDATE OR FAIL' => 4,
            'UPDATE OR ROLLBACK' => 2];
    }

    public function assignments(): array
    {
        return ['(a, b) = (1, 2)', "(a, b) = ('a', 'b')", '(a, b) = (b, a)'];
    }

    public function added(Column $column): string
    {
        return "$column->name + 1";
    }

    public function joined(string $table, string $column, string $other, string $otherColumn): array
    {
        return [
            "UPDATE $table SET {sets} FROM $other f WHERE f.$otherColumn = $table.$column",
            "UPDATE $table AS u SET {sets} FROM $other f WHERE f.$otherColumn = u.$column",
            "WITH x AS (SELECT $otherColumn AS v FROM $other) DELETE FROM $table WHERE $column IN (SELECT v FROM x)",
            "WITH x AS (SELECT $otherColumn AS v FROM $other) UPDATE $table SET a = 5 WHERE $column IN x",
            "WITH x AS (SELECT $otherColumn AS v FROM $other) INSERT INTO $table ($column) SELECT v FROM x",
        ];
    }

    public function oddWrites(RandomTable $table, string $column): array
    {
        return [
            "DELETE FROM $table->name WHERE 0", "/* a */ DELETE FROM \"$table->name\" -- all of them",
            "SELECT * FROM $table->name", "UPDATE $table->name SET nothing = 1", 'UPDATE sqlite_master SET sql = 1',
            "EXPLAIN DELETE FROM $table->name", "DELETE FROM main.$table->name INDEXED BY nothing",
            "SELECT upper('a'), abs(-4)",
        ];
    }

    public function tails(RandomTable $table): array
    {
        return [];
    }

    public function schemaChanges(
        RandomTable $table,
        string $column,
        RandomTable $view,
        string $other,
        int $number,
    ): array {
        return [
            "CREATE INDEX new$number ON $table->name ($column)" => 8,
            "CREATE UNIQUE INDEX new$number ON $table->name ($column)" => 8,
            'DROP INDEX new' . ($number - 1) => 9,
            "ALTER TABLE $table->name ADD COLUMN n$number INTEGER DEFAULT 4" => 20,
            "ALTER TABLE $table->name RENAME TO renamed$number" => 8,
            "ALTER TABLE $table->name RENAME COLUMN $column TO r$number" => 8,
            "DROP TABLE $table->name" => 3,
            "ALTER TABLE $table->name DROP COLUMN $column" => 3,
            ($view->isView ? "DROP VIEW $view->name" : "CREATE VIEW made$number AS SELECT * FROM $table->name") => 10,
            "CREATE TRIGGER made$number AFTER UPDATE ON $table->name BEGIN UPDATE $other SET a = 7; END" => 12,
            'ANALYZE' => 3,
            'PRAGMA foreign_keys = OFF' => 3,
            'PRAGMA foreign_keys = ON' => 3,
            'PRAGMA recursive_triggers = ON' => 2,
        ];
    }
}
