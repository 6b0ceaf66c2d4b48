<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** SQL of MariaDB. */
final readonly class MariaDbWords implements Words
{
    private const INTEGERS = ['0', '1', '1', '2', '2', '3', '3', '4', '4', '5', '6', '-1'];
    private const TEXTS = [
        "'a'", "'a'", "'a'", "'a'", "'a'", "'a'", "'A'", "'A'", "'b'", "'b'", "'b'", "'b'", "'b'", "'a '", "'ab'",
        "'B'", "'c'", "'a '", "''", "'1'", "'01'", "'é'", "'e'", "'ß'", "'ss'", "'ä'", "'ae'", "'ch'", "' a'", "'4'",
        "'4abc'", "'a\\t'", "'_'",
    ];

    /** @param bool $isNamed whether parameters may be `:name`, which mysqli does not know */
    public function __construct(private bool $isNamed = true) {}

    public function parameters(): array
    {
        return $this->isNamed ? ['' => 45, '?' => 35, ':' => 20] : ['' => 45, '?' => 55];
    }

    public function literals(Column $column): array
    {
        return match (true) {
            str_contains($column->type, 'ENUM') => ["'a'", "'b'", "'ab'", "'1'", '1', '2', "'A'"],
            str_contains($column->type, 'SET') => ["'a'", "'b'", "'a,b'", "''", '1', '3'],
            $column->holdsText(), $column->type === 'VARBINARY(10)' => self::TEXTS,
            str_contains($column->type, 'UNSIGNED') => [...self::INTEGERS, '18446744073709551615',
                '18446744073709551614', '9223372036854775808'],
            $column->holdsIntegers() => [...self::INTEGERS, '9007199254740993', '127'],
            $column->type === 'YEAR' => ['2024', '24', '1999', "'2024'", "'24'", '0', '1970', '70'],
            $column->type === 'DATE' => ["'2024-01-01'", "'2024-1-1'", '20240101', "'2024-01-02'"],
            $column->type === 'BIT(4)' => ['1', '4', "b'100'", '0'],
            default => ['0', '1', '2', '4', '1.5', '2.0', '-0.5', '1e1', '4.00', "'4'"],
        };
    }

    public function strange(Column $column): array
    {
        return [
            'NULL', "'4'", "'04'", "' 4'", "'4.0'", '4.0', '4e0', '0x61', '0x34', '+4', '- 4', '-4', "x'61'", 'TRUE',
            'FALSE', '2 + 2', "'a' 'b'", "CONCAT('a', '')", "'4abc'", '18446744073709551615', '9223372036854775808',
            "'1e0'", '(4)', "('a')", '1.0', 'CAST(4 AS CHAR)', 'ABS(-4)', "'it''s'", "'it\\'s'", '"a"', '"4"',
            "'a' COLLATE utf8mb4_bin", "4 -- four\n", "4 # four\n", '/* a */ 4', '/*! 4 */', '/*M! 4 */', '00004',
            "'?'", "':a'", '.5', '-0', "''''", "b'100'", "'\\%'", "'a\\0'", "BINARY 'a'", "CONVERT('a' USING latin1)",
            "_utf8mb4'a'", "_latin1'a'", "N'a'", "DATE '2024-01-01'", '24', '2024', "'\\a'", "_binary'a'", "'\\\\'",
            '@@innodb_page_size', '@nothing', 'IFNULL(@nothing, 4)', 'looks()', "'a'-- b\n", '4--1', "'A' -- 'b'\n",
            "0 + '4'", "'Ａ'", "'á'", "'a\u{301}'", "'a\u{200b}'", "'\u{3000}'",
        ];
    }

    public function bound(Column $column): array
    {
        return [
            0, 1, 2, 3, 4, 5, -1, '0', '1', '4', '04', ' 4', '4.0', 4.0, 1.5, 'a', 'A', 'b', 'B', 'ab', 'a ', '', null,
            true, false, 'c', 'é', 'e', 'ß', 'ss', '18446744073709551615', '9223372036854775808', "it's", '1e0',
            '4abc', '2024', 24, 'a\\b', 'á', "a\t", '+4', '-0', ' a', "a\u{301}", '9007199254740993',
        ];
    }

    public function own(Column $column): array
    {
        return match (true) {
            $column->holdsText() => ['a', 'A', 'b', 'B', 'ab', 'c', '1', 'a ', 'é', 'ss'],
            $column->type === 'YEAR' => [2024, 24, 1999],
            $column->type === 'DATE' => ['2024-01-01', '2024-01-02'],
            str_contains($column->type, '(\'a\'') => ['a', 'b', 1, 2],
            default => [0, 1, 2, 3, 4, 5],
        };
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
        return ["`$name`"];
    }

    public function qualified(string $table): array
    {
        return [$table];
    }

    public function hidden(): array
    {
        return [];
    }

    public function comparisons(Column $column): array
    {
        return ['=' => 60, '<' => 6, '>=' => 6, '<>' => 5, '!=' => 2, '<=>' => 8, 'LIKE' => 4, 'NOT LIKE' => 1,
            'RLIKE' => 1, 'NOT REGEXP' => 1, '&' => 1, 'SOUNDS LIKE' => 1, 'DIV' => 1, 'XOR' => 1, '%' => 1];
    }

    public function connectives(): array
    {
        return ['AND' => 62, '&&' => 4, 'OR' => 18, '||' => 3, 'XOR' => 5, '=' => 3, '<=>' => 2, '<>' => 2, '<' => 1,
            '+' => 1, 'IN' => 1, '|' => 1];
    }

    public function nulls(): array
    {
        return [' IS NULL', ' IS NOT NULL', ' IS TRUE', ' IS NOT FALSE', ' IS UNKNOWN', ' = NULL', ' <=> NULL'];
    }

    public function joins(): array
    {
        return [',' => 22, 'JOIN' => 20, 'INNER JOIN' => 8, 'CROSS JOIN' => 5, 'STRAIGHT_JOIN' => 4, 'LEFT JOIN' => 25,
            'LEFT OUTER JOIN' => 3, 'RIGHT JOIN' => 8, 'NATURAL JOIN' => 3, 'NATURAL LEFT JOIN' => 2];
    }

    public function compounds(): array
    {
        return ['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT', 'UNION DISTINCT', 'EXCEPT ALL'];
    }

    public function materialized(): array
    {
        return [''];
    }

    public function aggregates(string $name, Column $column): array
    {
        return ["sum($name)", "count($name)", "count(DISTINCT lower($name))", "min(length($name))", "max(abs($name))",
            "group_concat(hex($name) ORDER BY hex($name) SEPARATOR '?')", "bit_xor($name)", "max(hex($name))"];
    }

    public function traps(Column $column): array
    {
        return ['%s = %s = 0', '%s = %s IN (0)', '%s = %s IS NOT NULL', '%s = %s IS NULL', 'NOT %s = %s', '! %s = %s',
            '!%s = %s', '%s = %s COLLATE utf8mb4_bin', '%s COLLATE utf8mb4_bin = %s', '+%s = %s',
            'CAST(%s AS CHAR) = %s', 'BINARY %s = %s', '%s = BINARY %s', '%s = %s + 0', '%s = -%s', "%s = %s || ''",
            '%s = %s BETWEEN 0 AND 1', '(%s, 1) = (%s, 1)', '(%s, 1) IN ((%s, 1))', '%s = %s XOR 1 = 1',
            'CASE %s WHEN %s THEN 1 ELSE 0 END', 'CASE %s WHEN %s THEN 1 ELSE 2 END = 1',
            '%s = (%s)', '((%s) = (%s))', '%s = %s & 7', '%s = %s XOR 0',
            '%s = ~%s', '%s XOR %s', '%s = %s DIV 1', '%s = %s MOD 5', '%s = %s IS TRUE', 'lower(%s) = %s',
            '%s = %s IS NOT UNKNOWN', '%s <=> %s', 'NOT %s <=> %s', 'coalesce(%s, 1) = %s', 'IF(%s = %s, 0, 1)',
            'IFNULL(%s, 0) = %s', '%s = %s && 1', '%s = %s && 0 || 1', '%s NOT BETWEEN 0 AND 3 AND 1 = %s',
            '%s BETWEEN 0 AND 3 = %s', '%s = %s NOT IN (1)', 'not %s in (%s)', '%s LIKE %s = 0', '-%s = %s',
            "%s LIKE %s ESCAPE '|'", '%s = %s RLIKE 0', 'STRCMP(%s, %s) = 0', '%s = ANY (SELECT %s)', '%s = %s ^ 0',
            '%s <> ALL (SELECT %s)', '%s << %s', '%s REGEXP %s', '%s = %s SOUNDS LIKE 0', '%s IN (%s) = 0',
            '(%s = %s) = 0', '%s = %s OR NULL', 'NULLIF(%s, %s) IS NULL', 'ROW(%s, 1) = ROW(%s, 1)',
            '%s = %s AND looks() > 0', 'looks() = 0 OR %s = %s', '%s = %s /*! OR 1 */', "%s = %s -- x\n", '%s = %s--1',
            'CONVERT(%s USING latin1) = %s', '%s = %s NOT LIKE 0', 'INTERVAL(%s, %s) = 1', 'FIND_IN_SET(%s, %s)',
            'FIELD(%s, %s) = 1', '%s MEMBER OF (%s)', '%s = IF(1, %s, 0)', '%s IN (SELECT %s UNION SELECT 1)'];
    }

    public function alternatives(): array
    {
        return ['%s = %s OR 0', '1 OR %s = %s', '%s = %s || 0', '%s = %s XOR 1'];
    }

    public function begins(): array
    {
        return ['BEGIN', 'START TRANSACTION', 'begin work', 'START TRANSACTION READ WRITE',
            'START TRANSACTION WITH CONSISTENT SNAPSHOT'];
    }

    public function ends(bool $rollsBack): array
    {
        return $rollsBack ? ['ROLLBACK', 'rollback work', 'ROLLBACK AND NO CHAIN'] : ['COMMIT', 'commit work',
            'COMMIT AND NO CHAIN', 'BEGIN', 'COMMIT AND CHAIN'];
    }

    public function introductions(): array
    {
        return ['SET @x = 1', 'SET foreign_key_checks = 0', 'SET foreign_key_checks = 1', 'SELECT 1 FOR UPDATE',
            'SET NAMES utf8mb4'];
    }

    public function inserts(): array
    {
        return ['INSERT INTO' => 66, 'INSERT IGNORE INTO' => 8, 'REPLACE INTO' => 12, 'REPLACE' => 2, 'INSERT' => 6,
            'INSERT LOW_PRIORITY INTO' => 1, 'INSERT DELAYED INTO' => 1];
    }

    public function defaults(string $verb, string $table): string
    {
        return "$verb $table () VALUES ()";
    }

    public function upserts(array $key, string $table, Column $column): array
    {
        $name = $column->name;

        return [
            " ON DUPLICATE KEY UPDATE $name = VALUES($name)",
            " ON DUPLICATE KEY UPDATE $name = 3",
            " ON DUPLICATE KEY UPDATE $name = $name",
            " ON DUPLICATE KEY UPDATE $name = " . $this->added($column),
            ...array_map(
                static fn(string $id): string => " ON DUPLICATE KEY UPDATE $id = LAST_INSERT_ID($id)",
                \array_slice($key, 0, 1),
            ),
        ];
    }

    public function updates(): array
    {
        return ['UPDATE' => 90, 'UPDATE IGNORE' => 8, 'UPDATE LOW_PRIORITY' => 2];
    }

    public function assignments(): array
    {
        return ['a = b, b = a', 'a = a + 1, b = a', 'a = DEFAULT', 'a = DEFAULT(a)', 'a = looks()', 'a = (@x := 4)',
            'a = NOW() IS NULL', 'a = RAND() * 0'];
    }

    public function added(Column $column): string
    {
        return $column->holdsText() ? "concat($column->name, 'a')" : "$column->name + 1";
    }

    public function joined(string $table, string $column, string $other, string $otherColumn): array
    {
        return [
            "UPDATE $table t JOIN $other f ON f.$otherColumn = t.$column SET {t.sets}",
            "UPDATE $other f, $table t SET {t.sets} WHERE f.$otherColumn = t.$column",
            "UPDATE $table t LEFT JOIN $other f ON f.$otherColumn = t.$column SET t.$column = f.$otherColumn",
            "UPDATE $table t JOIN $other f ON f.$otherColumn = t.$column SET t.$column = NULL, f.$otherColumn = 5",
            "DELETE t FROM $table t JOIN $other f ON f.$otherColumn = t.$column",
            "DELETE t, f FROM $table t JOIN $other f ON f.$otherColumn = t.$column",
            "DELETE FROM t USING $table t, $other f WHERE f.$otherColumn = t.$column",
            "REPLACE INTO $table ($column) SELECT $otherColumn FROM $other",
            "INSERT IGNORE INTO $table ($column) SELECT $otherColumn FROM $other",
            "INSERT INTO $table ($column) SELECT $otherColumn FROM $other ON DUPLICATE KEY UPDATE $column = $column",
            "INSERT INTO $table ($column) WITH x AS (SELECT $otherColumn AS v FROM $other) SELECT v FROM x",
            "INSERT INTO $table ($column) VALUES ((SELECT max($otherColumn) FROM $other f))",
        ];
    }

    public function oddWrites(RandomTable $table, string $column): array
    {
        $name = $table->name;

        return [
            "DELETE FROM $name WHERE 0", "/* a */ DELETE FROM `$name` -- all of them", "DELETE QUICK FROM $name",
            "SELECT * FROM $name", "UPDATE $name SET nothing = 1", "SELECT * FROM $name FOR UPDATE",
            "EXPLAIN DELETE FROM $name", "ANALYZE UPDATE $name SET $column = 4 WHERE $column = 3",
            "ANALYZE DELETE FROM $name WHERE $column = 3", "INSERT INTO $name SET $column = 3",
            "INSERT INTO $name SET $column = 4 ON DUPLICATE KEY UPDATE $column = 5", "REPLACE $name SET $column = 2",
            "REPLACE INTO `$name` SET $column = 1", "TRUNCATE TABLE $name", "TRUNCATE $name", 'CALL does()',
            'DO writes()', 'SELECT writes()', 'SELECT looks(), writes()', 'SET @x = writes()', 'DO looks()',
            "BEGIN NOT ATOMIC UPDATE $name SET $column = 2; END",
            "BEGIN NOT ATOMIC START TRANSACTION; DELETE FROM $name WHERE $column = 3; COMMIT; END",
            "EXECUTE IMMEDIATE 'DELETE FROM $name WHERE $column = 2'",
            "PREPARE s FROM 'UPDATE $name SET $column = 1 WHERE $column = 4'", 'EXECUTE s', 'DEALLOCATE PREPARE s',
            "/*! DELETE FROM $name WHERE $column = 1 */", "UPDATE $name PARTITION (p0) SET $column = 2",
            "SELECT $column INTO @x FROM $name LIMIT 1",
            "UPDATE $name SET $column = @x", "UPDATE $name SET $column = 4 WHERE $column = @x", "VALUES (1)",
            "DELETE FROM $name WHERE $column = looks()", "UPDATE $name SET $column = writes()",
            "WITH x AS (SELECT 1) DELETE FROM $name", "IF 1 THEN DELETE FROM $name; END IF", "FLUSH TABLES",
            "LOCK TABLES $name WRITE", 'UNLOCK TABLES', "OPTIMIZE TABLE $name", "CHECK TABLE $name",
            "INSERT INTO $name VALUES ROW (1)", "SET STATEMENT max_statement_time = 100 FOR DELETE FROM $name"
                . " WHERE $column = 1",
            "SELECT upper('a'), abs(-4)",
        ];
    }

    public function tails(RandomTable $table): array
    {
        $key = implode(', ', $table->key);

        return $key === '' ? [] : [" ORDER BY $key LIMIT 1", " ORDER BY $key DESC LIMIT 2"];
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
            'DROP INDEX new' . ($number - 1) . " ON $table->name" => 6,
            "ALTER TABLE $table->name ADD COLUMN n$number INT DEFAULT 4" => 16,
            "ALTER TABLE $table->name RENAME TO renamed$number" => 4,
            "RENAME TABLE $table->name TO spare, $other TO $table->name, spare TO $other" => 4,
            "ALTER TABLE $table->name RENAME COLUMN $column TO r$number" => 6,
            "ALTER TABLE $table->name MODIFY COLUMN $column VARCHAR(20)" => 4,
            "ALTER TABLE $table->name MODIFY COLUMN $column INT" => 4,
            "ALTER TABLE $table->name CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" => 4,
            "DROP TABLE $table->name" => 2,
            "ALTER TABLE $table->name DROP COLUMN $column" => 3,
            ($view->isView
                ? "CREATE OR REPLACE VIEW $view->name AS SELECT {$view->columns[0]->name} FROM $table->name"
                : "CREATE VIEW made$number AS SELECT * FROM $table->name") => 8,
            "CREATE TRIGGER made$number AFTER UPDATE ON $table->name FOR EACH ROW UPDATE $other SET $column = 1" => 8,
            "CREATE TRIGGER made$number BEFORE INSERT ON $table->name FOR EACH ROW SET NEW.$column = 2" => 4,
            "CREATE TABLE made$number AS SELECT * FROM $table->name" => 3,
            "CREATE TEMPORARY TABLE $table->name AS SELECT * FROM $other" => 1,
            "ANALYZE TABLE $table->name" => 3,
            'CREATE OR REPLACE FUNCTION looks() RETURNS INT READS SQL DATA RETURN 4' => 2,
            "CREATE OR REPLACE TABLE $table->name (id INT PRIMARY KEY, a INT)" => 1,
            'SET foreign_key_checks = 0' => 2,
            'SET foreign_key_checks = 1' => 2,
            "SET sql_mode = ''" => 1,
            "SET sql_mode = 'ANSI_QUOTES'" => 1,
            "SET sql_mode = 'NO_BACKSLASH_ESCAPES'" => 1,
            'SET NAMES latin1' => 1,
        ];
    }
}
