<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** SQL of PostgreSQL, which refuses to compare values of two types. */
final readonly class PostgreSqlWords implements Words
{
    private const INTEGERS = ['0', '1', '1', '2', '2', '3', '3', '4', '4', '5', '6', '-1'];
    private const TEXTS = [
        "'a'", "'a'", "'a'", "'a'", "'A'", "'b'", "'b'", "'b'", "'ab'", "'B'", "'c'", "'a '", "''", "'1'", "'01'",
        "'é'", "'4'", "' a'",
    ];

    public function parameters(): array
    {
        return ['' => 45, '?' => 35, ':' => 20];
    }

    public function literals(Column $column): array
    {
        return match (true) {
            $column->type === 'mood' => ["'a'", "'b'", "'ab'"],
            $column->holdsText() => self::TEXTS,
            $column->holdsIntegers() => self::INTEGERS,
            $column->type === 'boolean' => ['true', 'false', "'t'", "'f'", 'TRUE'],
            $column->type === 'date' => ["'2024-01-01'", "DATE '2024-01-02'", "'2024-1-1'"],
            $column->type === 'jsonb' => ["'1'", "'\"a\"'", "'{\"a\": 1}'", "'[1]'"],
            $column->type === 'bytea' => ["'a'", "'\\x61'", "'b'"],
            default => ['0', '1', '2', '4', '1.5', '2.0', '-0.5', '1e1', '4.00', "'4'"],
        };
    }

    public function strange(Column $column): array
    {
        $texts = ["E'a'", "E'\\x61'", "U&'\\0061'", '$$a$$', '$x$a$x$', "'a'::text", "CAST('a' AS varchar)", "('a')",
            "'a' || ''", "'a' COLLATE \"C\"", "'a '::char(5)", "lower('A')", '4::text', "'it''s'", "'?'", "':a'",
            "''''", "'a' -- x\n", "/* /* n */ a */ 'a'", 'NULL', "'\\'", "E'\\\\'", "text 'a'", "'a'\n'b'", "N'a'",
            "current_schema()::text", "'a'::varchar(1)", "looks()::text", "'Ａ'", "'a\u{301}'", "'a'::name::text"];
        $integers = ["'4'", "'04'", "' 4'", '4.0', '4e0', '+4', '- 4', '-4', '2 + 2', '(4)', 'abs(-4)', "'4'::int",
            '4::bigint', "CAST('4' AS int)", '00004', "4 -- four\n", '/* a */ 4', 'NULL', '9223372036854775807', '4.5',
            '4::numeric', "'4'::text::int", '-(-4)', 'true::int', '@ -4', '4::smallint', "int '4'", 'looks()',
            '2147483648', '4::float8', "'+4'", '|/ 16', "'4'::varchar::int"];

        return match (true) {
            $column->holdsText() => $texts,
            $column->holdsIntegers() => $integers,
            $column->type === 'boolean' => ["'yes'", "'off'", 'NOT true', '1 = 1', "'1'", 'NULL', "'tr'", '1::bool'],
            default => ['NULL', "'4'", '4', "'a'", '1.0'],
        };
    }

    public function bound(Column $column): array
    {
        return match (true) {
            $column->holdsText() => ['a', 'A', 'b', 'a ', '', null, 'é', "it's", 4, '4', true, 'a\\b', ' a', 1.5],
            $column->holdsIntegers() => [0, 1, 4, -1, '4', '04', ' 4', '4.0', 4.0, 1.5, null, true, false, '+4', '-0',
                '9223372036854775808', 'a', '4 ', '1e0', '2147483648'],
            default => [0, 1, '4', 'a', null, true, '', 't', 4.0],
        };
    }

    public function own(Column $column): array
    {
        return match (true) {
            $column->type === 'mood' => ['a', 'b'],
            $column->holdsText() => ['a', 'A', 'b', 'B', 'ab', 'c', '1', 'a ', 'é'],
            $column->type === 'boolean' => [true, false, 't', 'false'],
            $column->type === 'date' => ['2024-01-01', '2024-01-02'],
            $column->type === 'jsonb' => ['1', '"a"'],
            $column->type === 'bytea' => ['a', 'b'],
            default => [0, 1, 2, 3, 4, 5],
        };
    }

    public function isStrict(): bool
    {
        return true;
    }

    public function areAlike(Column $one, Column $other): bool
    {
        return self::kind($one) === self::kind($other);
    }

    private static function kind(Column $column): string
    {
        return match (true) {
            $column->holdsText() => 'text',
            $column->holdsIntegers(), preg_match('/numeric|double|real/', $column->type) === 1 => 'number',
            default => $column->type,
        };
    }

    public function quoted(string $name): array
    {
        return ["\"$name\"", '"' . strtolower($name) . '"'];
    }

    public function qualified(string $table): array
    {
        return [$table, "ONLY $table", "$table *"];
    }

    public function hidden(): array
    {
        return [];
    }

    public function comparisons(Column $column): array
    {
        return ['=' => 60, '<' => 6, '>=' => 6, '<>' => 5, '!=' => 2, 'IS DISTINCT FROM' => 2,
            'IS NOT DISTINCT FROM' => 4, ...($column->holdsText() ? ['LIKE' => 4, 'NOT LIKE' => 1, 'ILIKE' => 1,
                '~' => 1, '!~*' => 1, 'SIMILAR TO' => 1, '^@' => 1, '~~' => 1] : ['BETWEEN 0 AND' => 2])];
    }

    public function connectives(): array
    {
        return ['AND' => 70, 'OR' => 22, '=' => 3, '<>' => 2, 'IS DISTINCT FROM' => 2, '<' => 1];
    }

    public function nulls(): array
    {
        return [' IS NULL', ' IS NOT NULL', ' ISNULL', ' NOTNULL', ' = NULL', ' IS NOT DISTINCT FROM NULL'];
    }

    public function joins(): array
    {
        return [',' => 22, 'JOIN' => 22, 'INNER JOIN' => 8, 'CROSS JOIN' => 1, 'LEFT JOIN' => 25,
            'LEFT OUTER JOIN' => 3, 'RIGHT JOIN' => 6, 'FULL JOIN' => 6, 'NATURAL JOIN' => 3, 'NATURAL LEFT JOIN' => 2];
    }

    public function compounds(): array
    {
        return ['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL'];
    }

    public function materialized(): array
    {
        return ['', '', 'MATERIALIZED ', 'NOT MATERIALIZED '];
    }

    public function aggregates(string $name, Column $column): array
    {
        $numbers = ["sum($name)", "max(abs($name))", "min($name)", "count(*) FILTER (WHERE $name = 4)"];

        return ["count($name)", "count(DISTINCT $name)", "min(length($name::text))",
            "string_agg($name::text, ',' ORDER BY $name::text)", "bool_or($name IS NULL)",
            ...(self::kind($column) === 'number' ? $numbers : ["max($name::text COLLATE \"C\")"])];
    }

    public function traps(Column $column): array
    {
        return ['(%s = %s) = false', '%s = %s IS NOT NULL', '%s = %s IS NULL', 'NOT %s = %s', '%s = %s IS FALSE',
            '%s = %s ISNULL', '(%s, 1) = (%s, 1)', '(%s, 1) IN ((%s, 1))', '%s IN (VALUES (%s))',
            'CASE %s WHEN %s THEN true ELSE false END', 'CASE %s WHEN %s THEN 1 ELSE 2 END = 1',
            '%s = ANY (ARRAY[%s])', '%s <> ALL (ARRAY[%s])',
            '%s = ANY (VALUES (%s))', '%s IS NOT DISTINCT FROM %s', 'NOT %s IS DISTINCT FROM %s',
            'coalesce(%s, NULL) = %s', 'nullif(%s, %s) IS NULL', 'NOT (%s = %s)', '%s::text = %s::text',
            '%s = %s AND false OR true', '(%s = %s) <> true', '%s = (SELECT %s)', 'ROW(%s) = ROW(%s)',
            '%s OPERATOR(pg_catalog.=) %s', '%s = %s OR true', '%s NOT IN (%s)', '(%s = %s) IS NOT TRUE',
            '%s BETWEEN SYMMETRIC %s AND NULL', '%s = %s::text::' . $column->type, "(%s = %s)::text = 'false'",
            '((%s) = (%s))', 'NOT NOT %s = %s', '%s = %s AND looks() > 0', 'looks() = 0 OR %s = %s', "%s = %s -- x\n",
            '%s = %s /* /* a */ b */ OR true', '%s IN (SELECT %s UNION SELECT NULL)', '%s = %s NOTNULL',
            '%s = %s IS UNKNOWN', ...(self::kind($column) === 'text' ? ['lower(%s) = %s', '%s = lower(%s)',
                '%s COLLATE "C" = %s', '%s = %s COLLATE "C"', "%s || '' = %s", "%s = %s || ''", '%s ~~ %s',
                "%s LIKE %s ESCAPE '|'", "%s = %s LIKE 'x'", 'left(%s, 1) = %s', '%s ILIKE %s', 'NOT %s ~ %s',
                'starts_with(%s, %s)', '%s = trim(BOTH FROM %s)', '%s IN (%s) IS FALSE'] : []),
            ...(self::kind($column) === 'number' ? ['%s + 0 = %s', '%s = %s + 0', '%s = - %s', '+%s = %s', '-%s = %s',
                '%s = %s % 5', '%s = %s & 7', '@%s = %s', '%s = +%s', '%s BETWEEN %s AND 9', '%s * 1 = %s',
                '%s::numeric = %s', '%s = %s::numeric', '%s = %s BETWEEN false AND true', '%s = %s IN (false)'] : [])];
    }

    public function alternatives(): array
    {
        return ['%s = %s OR false', 'true OR %s = %s', '(%s = %s) OR NULL'];
    }

    public function begins(): array
    {
        return ['BEGIN', 'START TRANSACTION', 'begin work', 'BEGIN ISOLATION LEVEL REPEATABLE READ',
            'BEGIN ISOLATION LEVEL READ COMMITTED', 'BEGIN READ WRITE'];
    }

    public function ends(bool $rollsBack): array
    {
        return $rollsBack
            ? ['ROLLBACK', 'abort', 'ROLLBACK AND NO CHAIN']
            : ['COMMIT', 'END', 'commit transaction', 'COMMIT AND CHAIN'];
    }

    public function introductions(): array
    {
        return ['SET CONSTRAINTS ALL DEFERRED', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
            "SET LOCAL statement_timeout = '10s'", 'SET CONSTRAINTS ALL IMMEDIATE'];
    }

    public function inserts(): array
    {
        return ['INSERT INTO' => 100];
    }

    public function defaults(string $verb, string $table): string
    {
        return "$verb $table DEFAULT VALUES";
    }

    public function upserts(array $key, string $table, Column $column): array
    {
        $target = $key === [] ? ' (a)' : ' (' . implode(', ', $key) . ')';
        $name = $column->name;

        return [
            ' ON CONFLICT DO NOTHING', " ON CONFLICT$target DO NOTHING", ' ON CONFLICT (a) DO NOTHING',
            " ON CONFLICT$target DO UPDATE SET $name = excluded.$name",
            " ON CONFLICT$target DO UPDATE SET $name = $table.$name WHERE $table.$name IS NOT NULL",
            " ON CONFLICT (a) DO UPDATE SET $name = excluded.$name",
            " ON CONFLICT$target DO UPDATE SET $name = excluded.$name RETURNING *",
            " ON CONFLICT$target DO UPDATE SET $name = " . $this->literals($column)[0],
            " ON CONFLICT$target DO UPDATE SET $name = "
                . $this->added(new Column("$table.$name", $column->type, $column->collation)),
        ];
    }

    public function updates(): array
    {
        return ['UPDATE' => 95, 'UPDATE ONLY' => 5];
    }

    public function assignments(): array
    {
        return ['(a, b) = (1, 2)', "(a, b) = ('a', 'b')", '(a, b) = (b, a)', '(a, b) = (SELECT NULL, NULL)',
            'a = DEFAULT', 'a = looks()', 'a = random() * 0', 'a = b, b = a', '(a) = ROW (4)'];
    }

    public function added(Column $column): string
    {
        return match (self::kind($column)) {
            'text' => "$column->name || 'a'",
            'number' => "$column->name + 1",
            'boolean' => "NOT $column->name",
            default => $column->name,
        };
    }

    public function joined(string $table, string $column, string $other, string $otherColumn): array
    {
        return [
            "UPDATE $table SET {sets} FROM $other f WHERE f.$otherColumn = $table.$column",
            "UPDATE $table AS u SET {sets} FROM $other f WHERE f.$otherColumn = u.$column",
            "DELETE FROM $table USING $other f WHERE f.$otherColumn = $table.$column",
            "WITH x AS (SELECT $otherColumn AS v FROM $other) DELETE FROM $table WHERE $column IN (SELECT v FROM x)",
            "WITH x AS (SELECT $otherColumn AS v FROM $other) INSERT INTO $table ($column) SELECT v FROM x",
            "WITH x AS (DELETE FROM $other WHERE $otherColumn IS NULL RETURNING *) SELECT * FROM x",
            "WITH x AS (UPDATE $table SET {sets} RETURNING *) SELECT count(*) FROM x",
            "WITH x AS (DELETE FROM $other RETURNING $otherColumn AS v) INSERT INTO $table ($column) SELECT v FROM x",
            "WITH x AS (INSERT INTO $other ($otherColumn) VALUES (NULL) RETURNING *) UPDATE $table SET {sets}",
            "INSERT INTO $table ($column) SELECT $otherColumn FROM $other ON CONFLICT DO NOTHING",
            "MERGE INTO $table t USING $other f ON f.$otherColumn = t.$column WHEN MATCHED THEN DELETE",
            "MERGE INTO $table t USING $other f ON f.$otherColumn = t.$column WHEN MATCHED THEN UPDATE SET {sets}",
            "MERGE INTO $table t USING $other f ON f.$otherColumn = t.$column WHEN NOT MATCHED THEN INSERT ($column)"
                . " VALUES (f.$otherColumn)",
            "INSERT INTO $table ($column) VALUES ((SELECT max($otherColumn) FROM $other))",
        ];
    }

    public function oddWrites(RandomTable $table, string $column): array
    {
        $name = $table->name;

        return [
            "DELETE FROM $name WHERE false", "/* a /* b */ */ DELETE FROM $name -- all of them",
            "SELECT * FROM $name", "UPDATE $name SET nothing = 1", "SELECT * FROM $name FOR UPDATE",
            "EXPLAIN DELETE FROM $name", "EXPLAIN ANALYZE DELETE FROM $name WHERE $column IS NULL",
            "EXPLAIN (ANALYZE) UPDATE $name SET $column = NULL", "TRUNCATE $name", "TRUNCATE TABLE ONLY $name",
            "TRUNCATE $name CASCADE", "TRUNCATE $name RESTART IDENTITY", 'CALL does()', 'SELECT writes()',
            'SELECT looks(), writes()', 'SELECT * FROM writes()', "DO \$\$BEGIN DELETE FROM $name; END\$\$",
            "PREPARE s AS DELETE FROM $name WHERE $column IS NOT NULL", 'EXECUTE s', 'DEALLOCATE s',
            "SELECT * INTO made_of_$name FROM $name", "CREATE TABLE made_by_$name AS SELECT * FROM $name",
            "UPDATE $name * SET $column = NULL", "DELETE FROM ONLY $name WHERE $column IS NULL",
            "WITH x AS (SELECT 1) DELETE FROM $name", "TABLE $name", 'VALUES (1)', "LOCK TABLE $name",
            "UPDATE $name SET $column = DEFAULT", "DELETE FROM $name WHERE ctid = '(0,1)'", "ANALYZE $name",
            "DELETE FROM $name WHERE $column::text = looks()::text", 'SET CONSTRAINTS ALL DEFERRED',
            "INSERT INTO $name SELECT * FROM $name ON CONFLICT DO NOTHING", "VACUUM $name", 'SAVEPOINT s',
            "COPY (DELETE FROM $name RETURNING *) TO '/dev/null'",
            "DECLARE c CURSOR FOR SELECT * FROM $name FOR UPDATE",
            'FETCH c', "DELETE FROM $name WHERE CURRENT OF c", "UPDATE $name SET $column = NULL WHERE CURRENT OF c",
            "INSERT INTO $name ($column) OVERRIDING SYSTEM VALUE VALUES (NULL)", "CLUSTER $name",
            "REFRESH MATERIALIZED VIEW kept", "SELECT upper('a'), abs(-4)",
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
            'DROP INDEX new' . ($number - 1) => 6,
            "ALTER TABLE $table->name ADD COLUMN n$number int DEFAULT 4" => 14,
            "ALTER TABLE $table->name RENAME TO renamed$number" => 4,
            "ALTER TABLE $table->name RENAME COLUMN $column TO r$number" => 6,
            "ALTER TABLE $table->name ALTER COLUMN $column TYPE text" => 4,
            "ALTER TABLE $table->name ALTER COLUMN $column TYPE char(6)" => 2,
            "ALTER TABLE $table->name ALTER COLUMN $column SET DEFAULT NULL" => 2,
            "DROP TABLE $table->name CASCADE" => 2,
            "ALTER TABLE $table->name DROP COLUMN $column CASCADE" => 3,
            ($view->isView
                ? "CREATE OR REPLACE VIEW $view->name AS SELECT {$view->columns[0]->name} FROM $table->name"
                : "CREATE VIEW made$number AS SELECT * FROM $table->name") => 8,
            "CREATE RULE made$number AS ON UPDATE TO $table->name DO ALSO DELETE FROM $other" => 4,
            "CREATE RULE made$number AS ON DELETE TO $table->name DO INSTEAD DELETE FROM $other" => 2,
            "ALTER TABLE $table->name ENABLE ROW LEVEL SECURITY" => 1,
            "ALTER TABLE $table->name FORCE ROW LEVEL SECURITY" => 1,
            "ALTER TABLE $table->name INHERIT $other" => 1,
            "CREATE TABLE made$number () INHERITS ($table->name)" => 3,
            "CREATE TEMP TABLE $table->name AS SELECT * FROM $other" => 1,
            "CREATE TABLE made$number AS SELECT * FROM $table->name" => 3,
            'CREATE OR REPLACE FUNCTION looks() RETURNS int LANGUAGE sql STABLE AS $$SELECT 4$$' => 2,
            "ALTER TABLE $table->name DISABLE TRIGGER USER" => 3,
            "ALTER TABLE $table->name SET UNLOGGED" => 1,
            "SET session_replication_role = replica" => 1,
            "SET session_replication_role = DEFAULT" => 1,
            "SET standard_conforming_strings = off" => 1,
            "ANALYZE $table->name" => 3,
        ];
    }
}
