<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** The themes of each database: what at least one rule is for, and what random statements seldom do. */
final readonly class Themes
{
    /** Two tables that refer to one another, of which one has a second key. */
    private const PLAIN = ['id INT PRIMARY KEY, a INT, u INT UNIQUE', 'id INT PRIMARY KEY, a INT, r INT'];

    /** Changes of single rows of t. */
    private const CHANGES = [
        ['UPDATE t SET a = a + 1 WHERE id = {n}'], ['UPDATE t SET a = {m} WHERE id = {n}'],
        ['INSERT INTO t (id, a) VALUES ({n}, {m})'], ['DELETE FROM t WHERE id = {n}'],
    ];

    /** @return non-empty-list<Theme> */
    public static function of(Database $database): array
    {
        return [
            self::outerJoins(),
            self::conditions($database),
            self::values($database),
            self::carried($database),
            self::boundaries($database),
            self::functions($database),
            self::triggersBefore($database),
            self::keys($database),
            self::triggersAfter($database),
            self::transactions($database),
            self::temporary($database),
            self::kinds($database),
            self::sets(),
            self::elsewhere($database),
            self::upserts($database),
        ];
    }

    private static function outerJoins(): Theme
    {
        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, r INT, b INT'],
            [
                'SELECT * FROM t LEFT JOIN v ON t.id = v.r AND t.id = {n}',
                'SELECT * FROM t LEFT JOIN v ON t.id = v.r AND v.b = {n}',
                'SELECT * FROM t RIGHT JOIN v ON t.id = v.r AND v.id = {n}',
                'SELECT * FROM v LEFT JOIN t ON t.id = v.r AND t.a = {n} WHERE v.b = {m}',
                'SELECT * FROM t JOIN v ON t.id = {n} AND v.id = {m} RIGHT JOIN t w ON w.id = v.r',
            ],
            [
                ...self::CHANGES,
                ['UPDATE v SET b = {m} WHERE id = {n}'],
                ['INSERT INTO v (id, r, b) VALUES ({n}, {m}, 1)'],
                ['DELETE FROM v WHERE id = {n}'],
            ],
        );
    }

    private static function conditions(Database $database): Theme
    {
        $text = $database === Database::MariaDb ? 'VARCHAR(10) COLLATE utf8mb4_bin' : 'TEXT';
        $bool = $database === Database::PostgreSql ? 'false' : '0';
        $collation = [
            'sqlite' => 'NOCASE',
            'mariadb' => 'utf8mb4_general_ci',
            'postgresql' => 'ci',
        ][$database->value];
        $cast = $database === Database::PostgreSql ? ['SELECT * FROM t WHERE s = {s}::char(5)'] : [];
        $chains = $database === Database::PostgreSql ? [] : [
            'SELECT * FROM t WHERE id = {n} = 0', 'SELECT * FROM t WHERE id = {n} IN (0)',
        ];
        $xor = $database === Database::MariaDb ? [
            'SELECT * FROM t WHERE id = {n} XOR 1 = 1', 'SELECT * FROM t WHERE id = {n} AND a = {m} XOR 1 = 1',
        ] : [];

        return new Theme(
            ['t' => "id INT PRIMARY KEY, a INT, s $text"],
            [
                ...$chains, ...$xor, ...$cast,
                "SELECT * FROM t WHERE (id = {n}) = $bool", "SELECT * FROM t WHERE (id = {n}) IN ($bool)",
                'SELECT * FROM t WHERE NOT id = {n}', 'SELECT * FROM t WHERE NOT (id = {n})',
                'SELECT * FROM t WHERE (id = {n}) IS NOT NULL', 'SELECT * FROM t WHERE id = {n} IS NOT NULL',
                'SELECT * FROM t WHERE (id = {n}) IS NULL', 'SELECT * FROM t WHERE id NOT IN ({n})',
                'SELECT * FROM t WHERE id = {n} OR a = {m}', 'SELECT * FROM t WHERE id IN ({n}, {m})',
                "SELECT * FROM t WHERE s = {s} COLLATE $collation", 'SELECT * FROM t WHERE id = {n} AND a = {m}',
                'SELECT * FROM t WHERE id = - {n} OR id = + {n}', 'SELECT * FROM t WHERE id = {n} + 1',
            ],
            [...self::CHANGES, ['UPDATE t SET s = {s} WHERE id = {n}']],
            $database === Database::PostgreSql ? [self::caseless()] : [],
        );
    }

    private static function values(Database $database): Theme
    {
        $columns = match ($database) {
            Database::Sqlite => [
                's TEXT', 'c TEXT COLLATE NOCASE', 'k TEXT COLLATE RTRIM', 'x STRING', 'e DECIMAL', 'd VARCHAR(10)',
            ],
            Database::MariaDb => [
                's VARCHAR(10)', 'c CHAR(5)', 'k VARCHAR(10) COLLATE utf8mb4_roman_ci', 'x YEAR', 'e DECIMAL',
                'd VARCHAR(10) COLLATE utf8mb4_nopad_bin',
            ],
            Database::PostgreSql => [
                's TEXT', 'c CHAR(5)', 'k TEXT COLLATE ci', 'x VARCHAR(10)', 'e NUMERIC', 'd BOOLEAN',
            ],
        };
        $isStrict = $database === Database::PostgreSql;
        $others = $isStrict ? [] : [
            'SELECT * FROM t WHERE s = {n}', 'SELECT * FROM t WHERE c = {n}', 'SELECT * FROM t WHERE x = 2{n}',
            'SELECT * FROM t WHERE x = {s}', 'SELECT * FROM t WHERE id = {s}', 'SELECT * FROM t WHERE x = 202{n}',
            'SELECT * FROM t WHERE d = {s}', "SELECT * FROM t WHERE x = '0{n}'", 'SELECT * FROM t WHERE id = 0x{n}',
            "SELECT * FROM t WHERE e = '{n}.0'",
        ];
        // Letters that are equal under one collation only.
        [$roman, $letters] = $database === Database::MariaDb
            ? [["SELECT * FROM t WHERE k = 'i'"], [["UPDATE t SET k = 'j' WHERE id = {n}"]]]
            : [[], []];

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT, ' . implode(', ', $columns)],
            [
                'SELECT * FROM t WHERE s = {s}', 'SELECT * FROM t WHERE c = {s}', 'SELECT * FROM t WHERE k = {s}',
                'SELECT * FROM t WHERE c = {s} AND a = {n}', 'SELECT * FROM t WHERE e = {n}',
                'SELECT * FROM t WHERE e = {n}.0', 'SELECT * FROM t WHERE id = {n}.0',
                ...($isStrict ? [] : $others), ...$roman,
            ],
            [
                ...self::CHANGES, ...$letters,
                ['UPDATE t SET s = {s}, c = {s}, k = {s} WHERE id = {n}'],
                ['INSERT INTO t (id, a, s, c, k) VALUES ({n}, {m}, {s}, {t}, {s})'],
                [$isStrict ? 'UPDATE t SET e = {m} WHERE id = {n}' : 'UPDATE t SET x = 202{m}, e = {m} WHERE id = {n}'],
                [$isStrict ? 'UPDATE t SET x = {s} WHERE id = {n}' : "UPDATE t SET s = '4abc', d = {s} WHERE id = {n}"],
            ],
            $isStrict ? [self::caseless()] : [],
        );
    }

    /** A value that one column equals, and another column that equals the first. */
    private static function carried(Database $database): Theme
    {
        [$loose, $strict] = match ($database) {
            Database::Sqlite => ['TEXT COLLATE NOCASE', 'TEXT'],
            Database::MariaDb => ['VARCHAR(10) COLLATE utf8mb4_general_ci', 'VARCHAR(10) COLLATE utf8mb4_bin'],
            Database::PostgreSql => ['TEXT', 'VARCHAR(10)'],
        };

        return new Theme(
            ['t' => "id INT PRIMARY KEY, a INT, s $loose", 'v' => "id INT PRIMARY KEY, b INT, s $strict"],
            [
                'SELECT * FROM t JOIN v ON v.s = t.s WHERE t.s = {s}',
                'SELECT * FROM t, v WHERE v.s = t.s AND t.s = {s} AND t.a = {n}',
                'SELECT * FROM v JOIN t ON t.s = v.s AND v.s = {s}',
                'SELECT * FROM t LEFT JOIN v ON v.s = t.s WHERE t.s = {s}',
                'SELECT * FROM v JOIN t ON t.id = v.id WHERE v.id = {n}',
            ],
            [
                ...self::CHANGES,
                ['UPDATE v SET b = b + 1 WHERE id = {n}'], ['UPDATE v SET s = {s} WHERE id = {n}'],
                ['UPDATE t SET s = {s} WHERE id = {n}'], ['INSERT INTO v (id, b, s) VALUES ({n}, {m}, {s})'],
                ['DELETE FROM v WHERE id = {n}'],
            ],
        );
    }

    /** What is true of the rows of a derived table, of a common table or of a view is not true of those they read. */
    private static function boundaries(Database $database): Theme
    {
        $random = $database === Database::MariaDb ? 'RAND()' : 'random()';

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            [
                'SELECT * FROM (SELECT * FROM t ORDER BY id LIMIT 2) d WHERE a = {n}',
                'SELECT * FROM (SELECT id + 1 AS id, a FROM t) d WHERE d.id = {n}',
                'SELECT * FROM (SELECT a AS id, count(*) AS c FROM t GROUP BY a) d WHERE d.id = {n}',
                'SELECT * FROM v JOIN (SELECT a AS id FROM t) d ON d.id = v.id WHERE v.id = {n}',
                'WITH d AS (SELECT id + 1 AS id, a FROM t) SELECT * FROM d WHERE id = {n}',
                'WITH d AS (SELECT a AS id FROM t) SELECT * FROM d JOIN v ON v.id = d.id WHERE v.id = {n}',
                'SELECT * FROM seen WHERE id = {n}', 'SELECT * FROM seen WHERE b = {n}',
                'SELECT * FROM odd WHERE id = {n}',
                'SELECT * FROM v WHERE id IN (SELECT id + 1 FROM t WHERE a = {n})',
                'SELECT * FROM v WHERE b = {n} AND EXISTS (SELECT 1 FROM t WHERE t.a = v.id)',
            ],
            [
                ...self::CHANGES,
                ['UPDATE v SET b = {m} WHERE id = {n}'], ['UPDATE seen SET b = {m} WHERE b = {n}'],
                ['INSERT INTO v (id, b) VALUES ({n}, {m})'], ['DELETE FROM v WHERE id = {n}'],
            ],
            [],
            [
                'CREATE VIEW seen AS SELECT id + 1 AS id, a AS b FROM t',
                "CREATE VIEW odd AS SELECT id, $random AS r FROM t",
            ],
        );
    }

    private static function functions(Database $database): Theme
    {
        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            match ($database) {
                Database::Sqlite => [
                    'SELECT random() AS r FROM t WHERE id = {n}', 'SELECT * FROM t WHERE id = {n} AND random() > 0',
                    'SELECT hex(randomblob(8)), a FROM t WHERE a = {n}', 'SELECT * FROM t WHERE id = {n}',
                ],
                Database::MariaDb => [
                    'SELECT looks() AS r FROM t WHERE id = {n}', 'SELECT * FROM t WHERE id = {n} OR looks() > {m}',
                    'SELECT RAND() AS r, id FROM t WHERE a = {n}', 'SELECT UUID() AS r, id FROM t WHERE id = {n}',
                    'SELECT id, r FROM made WHERE id = {n}', 'SELECT * FROM t WHERE id = {n}',
                ],
                Database::PostgreSql => [
                    'SELECT looks() AS r FROM t WHERE id = {n}', 'SELECT * FROM t WHERE id = {n} OR looks() > {m}',
                    'SELECT random() AS r, id FROM t WHERE a = {n}', 'SELECT * FROM t WHERE id = {n}',
                    'SELECT gen_random_uuid() AS r, id FROM t WHERE id = {n}',
                ],
            },
            [...self::CHANGES, ['UPDATE v SET b = {m} WHERE id = {n}'], ['INSERT INTO v (id, b) VALUES ({n}, {m})'],
                ['DELETE FROM v WHERE id = {n}']],
            [],
            match ($database) {
                Database::Sqlite => [],
                Database::MariaDb => [
                    'CREATE FUNCTION looks() RETURNS INT READS SQL DATA RETURN (SELECT count(*) FROM v)',
                    'CREATE TABLE made (id INT PRIMARY KEY, a INT, r DOUBLE AS (RAND()) VIRTUAL INVISIBLE)',
                    'INSERT INTO made (id, a) VALUES (0, 0), (1, 1), (2, 2)',
                ],
                Database::PostgreSql => [
                    'CREATE FUNCTION looks() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$SELECT count(*) FROM v$$',
                ],
            },
        );
    }

    /** A trigger that gives a row another key before it is written. */
    private static function triggersBefore(Database $database): Theme
    {
        $far = 'INSERT INTO t (id, a) VALUES ({n}, {m})';

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            ['SELECT * FROM t WHERE id = {n}', 'SELECT * FROM t WHERE id = 1{n}', 'SELECT * FROM t WHERE a = {n}'],
            [
                [$far], [$far], ['DELETE FROM t WHERE id >= 10'], ['DELETE FROM t WHERE id = 1{n}'],
                ['UPDATE t SET a = {m} WHERE id = {n}'],
            ],
            [],
            match ($database) {
                // A trigger of SQLite cannot change the row that is going to be written.
                Database::Sqlite => ['CREATE TRIGGER early BEFORE INSERT ON t BEGIN UPDATE t SET a = a + 1 WHERE id ='
                    . ' NEW.id + 1; END'],
                Database::MariaDb => ['CREATE TRIGGER early BEFORE INSERT ON t FOR EACH ROW SET NEW.id = NEW.id + 10'],
                Database::PostgreSql => [
                    'CREATE FUNCTION early() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.id := NEW.id + 10;'
                        . ' RETURN NEW; END$$',
                    'CREATE TRIGGER early BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION early()',
                ],
            },
        );
    }

    private static function keys(Database $database): Theme
    {
        [$parent, $child] = self::PLAIN;
        $replaces = $database === Database::PostgreSql
            ? ['INSERT INTO t (id, a, u) VALUES ({n}, 7, {m}) ON CONFLICT (u) DO UPDATE SET a = 8']
            : ['REPLACE INTO t (id, a, u) VALUES ({n}, 7, {m})'];
        $isMariaDb = $database === Database::MariaDb;

        return new Theme(
            ['t' => $parent, 'v' => $child, 'w' => $child],
            [
                'SELECT * FROM v WHERE id = {n}', 'SELECT * FROM v WHERE r = {n}', 'SELECT * FROM w WHERE r = {n}',
                'SELECT * FROM w WHERE id = {n}', 'SELECT * FROM t WHERE id = {n}', 'SELECT count(*) FROM v',
                'SELECT * FROM t WHERE id = 1{n}',
                'SELECT * FROM t JOIN v ON v.r = t.id WHERE t.id = {n}', 'SELECT * FROM t WHERE u = {n}',
            ],
            [
                $replaces, $replaces, ['DELETE FROM t WHERE id = {n}'], ['DELETE FROM t WHERE u = {n}'],
                ['UPDATE t SET id = {m} WHERE id = {n}'], ['UPDATE t SET u = {m} WHERE id = {n}'],
                ['INSERT INTO t (id, a, u) VALUES ({n}, 1, {m})'], ['INSERT INTO t (id, a, u) VALUES ({n}, 2, {m})'],
                ['INSERT INTO v (id, a, r) VALUES ({n}, 1, {m})', 'INSERT INTO w (id, a, r) VALUES ({n}, 1, {m})'],
                ['INSERT INTO v (id, a, r) VALUES ({n}, 2, {m})', 'INSERT INTO w (id, a, r) VALUES ({n}, 2, {m})'],
                ['INSERT INTO v (id, a, r) VALUES ({n}, 3, {m})', 'INSERT INTO w (id, a, r) VALUES ({n}, 3, {m})'],
                ['UPDATE v SET r = {m} WHERE id = {n}'], ['UPDATE w SET r = {m} WHERE id = {n}'],
                ['UPDATE t SET id = id + 10 WHERE id = {n}'], ['UPDATE t SET id = id - 10 WHERE id = 1{n}'],
                ['UPDATE t SET id = id + 10 WHERE u = {n}'],
            ],
            // SQLite cannot add a foreign key later.
            $database === Database::Sqlite ? [
                "CREATE TABLE t ($parent)",
                "CREATE TABLE v ($child, FOREIGN KEY (r) REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE)",
                "CREATE TABLE w ($child, FOREIGN KEY (r) REFERENCES t (id) ON DELETE SET NULL ON UPDATE SET NULL)",
            ] : [],
            $database === Database::Sqlite ? [] : [
                'DELETE FROM v WHERE r NOT IN (SELECT id FROM t)', 'DELETE FROM w WHERE r NOT IN (SELECT id FROM t)',
                'ALTER TABLE v ADD FOREIGN KEY (r) REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE',
                'ALTER TABLE w ADD FOREIGN KEY (r) REFERENCES t (id) ON DELETE SET NULL ON UPDATE '
                    . ($isMariaDb ? 'SET NULL' : 'CASCADE'),
            ],
        );
    }

    private static function triggersAfter(Database $database): Theme
    {
        $trigger = static fn(string $event, string $body): array => match ($database) {
            Database::Sqlite => ["CREATE TRIGGER on_$event AFTER $event ON t BEGIN $body; END"],
            Database::MariaDb => ["CREATE TRIGGER on_$event AFTER $event ON t FOR EACH ROW BEGIN $body; END"],
            Database::PostgreSql => [
                "CREATE FUNCTION on_$event() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN $body; RETURN NULL; END\$\$",
                "CREATE TRIGGER on_$event AFTER $event ON t FOR EACH ROW EXECUTE FUNCTION on_$event()",
            ],
        };

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            ['SELECT * FROM v WHERE id = {n}', 'SELECT * FROM v WHERE b = {n}', 'SELECT * FROM t WHERE id = {n}',
                'SELECT count(*), max(b) FROM v'],
            self::CHANGES,
            [],
            [
                ...$trigger('UPDATE', 'UPDATE v SET b = NEW.a WHERE id = OLD.id'),
                ...$trigger('INSERT', 'UPDATE v SET b = b + 1 WHERE id = NEW.id'),
                ...$trigger('DELETE', 'DELETE FROM v WHERE id = OLD.id'),
            ],
        );
    }

    /** All ways to end a transaction, and to take a part of it back. */
    private static function transactions(Database $database): Theme
    {
        $change = 'UPDATE t SET a = {m} WHERE id = {n}';
        $other = 'UPDATE v SET b = b + 1 WHERE id = {n}';
        $released = ['SAVEPOINT one', $change, 'RELEASE SAVEPOINT one'];

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            ['SELECT * FROM t WHERE id = {n}', 'SELECT * FROM t WHERE a = {n}', 'SELECT * FROM v WHERE id = {n}',
                'SELECT * FROM t JOIN v ON v.id = t.id WHERE t.id = {n}'],
            [
                [$change], ['BEGIN', $change, $other, 'COMMIT'], ['BEGIN', $change, 'ROLLBACK'],
                ['DELETE FROM t WHERE id = {n}'], ['INSERT INTO t (id, a) VALUES ({n}, {m})'],
                ['BEGIN', $change, 'SAVEPOINT one', $other, 'ROLLBACK TO one', $other, 'COMMIT'],
                ['BEGIN', 'SAVEPOINT one', 'SELECT nothing FROM t', 'ROLLBACK TO SAVEPOINT one', $change, 'COMMIT'],
                ['BEGIN', 'SAVEPOINT one', $change, 'ROLLBACK TO SAVEPOINT one', 'COMMIT'],
                ...match ($database) {
                    Database::Sqlite => [$released, $released],
                    Database::MariaDb => [
                        ['BEGIN', $change, 'BEGIN', $other, 'COMMIT'], ['TRUNCATE v'], ['CALL does({n})'],
                        ['SET autocommit = 0', $change, 'SET autocommit = 1'], ['BEGIN', $change, 'TRUNCATE v'],
                        ['BEGIN', $change, 'COMMIT AND CHAIN', $other, 'COMMIT'], ['BEGIN', $change, 'FLUSH STATUS'],
                        ['INSERT INTO v (id, b) VALUES ({n}, {m})'],
                    ],
                    Database::PostgreSql => [
                        ['BEGIN', $change, 'COMMIT AND CHAIN', $other, 'COMMIT'], ['CALL does({n})'],
                        ['BEGIN', $change, 'SET CONSTRAINTS ALL IMMEDIATE', $other, 'COMMIT'], ['TRUNCATE v'],
                        ['INSERT INTO v (id, b) VALUES ({n}, {m})'],
                    ],
                },
            ],
            [],
            match ($database) {
                Database::Sqlite => [],
                Database::MariaDb => ['CREATE PROCEDURE does(x INT) BEGIN UPDATE v SET b = b + 1 WHERE id = x; END'],
                Database::PostgreSql => ['CREATE PROCEDURE does(x INT) LANGUAGE plpgsql AS $$BEGIN UPDATE v SET b ='
                    . ' b + 1 WHERE id = x; END$$'],
            },
        );
    }

    private static function temporary(Database $database): Theme
    {
        $drop = $database === Database::MariaDb ? 'DROP TEMPORARY TABLE t' : 'DROP TABLE pg_temp.t';
        $drop = $database === Database::Sqlite ? 'DROP TABLE temp.t' : $drop;
        $make = 'CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, a INT)';
        $change = 'UPDATE t SET a = {m} WHERE id = {n}';

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT'],
            ['SELECT * FROM t WHERE id = {n}', 'SELECT * FROM t WHERE a = {n}', 'SELECT count(*) FROM t'],
            [
                [$change], [$make, $change, $drop, $change], [$make, 'INSERT INTO t VALUES ({n}, {m})', $change, $drop],
                [$make, $drop, 'INSERT INTO t (id, a) VALUES ({n}, {m})'], ['DELETE FROM t WHERE id = {n}'],
                ['BEGIN', $change, $make, 'DELETE FROM t', $drop, 'COMMIT'],
            ],
        );
    }

    /** Tables whose rows are kept or found in another way. */
    private static function kinds(Database $database): Theme
    {
        $read = ['SELECT * FROM k WHERE id = {n}', 'SELECT * FROM k WHERE a = {n}', 'SELECT count(*) FROM k'];

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            ['SELECT * FROM t WHERE id = {n}', 'SELECT * FROM t WHERE a = {n}', ...($database === Database::Sqlite
                ? ['SELECT * FROM temp.t WHERE id = {n}']
                : [...$read, ...$read, 'SELECT * FROM v WHERE id = {n}'])],
            [
                ...self::CHANGES,
                ...match ($database) {
                    Database::Sqlite => [['UPDATE t SET a = {m} WHERE rowid = {n}']],
                    Database::MariaDb => [
                        ['UPDATE k SET a = {m} WHERE id = {n}'],
                        ['BEGIN', 'UPDATE k SET a = {m} WHERE id = {n}', 'ROLLBACK'],
                        ['INSERT INTO k VALUES ({n}, {m})'], ['BEGIN', 'DELETE FROM k WHERE id = {n}', 'ROLLBACK'],
                    ],
                    Database::PostgreSql => [
                        ['UPDATE c SET a = {m} WHERE id = {n}'], ['INSERT INTO c VALUES ({n}, {m})'],
                        ['DELETE FROM k WHERE id = {n}'], ['UPDATE v SET b = b + 1 WHERE id = {n}'],
                    ],
                },
            ],
            [],
            match ($database) {
                Database::Sqlite => [],
                Database::MariaDb => ['CREATE TABLE k (id INT PRIMARY KEY, a INT) ENGINE=MyISAM',
                    'INSERT INTO k VALUES (0, 0), (1, 1), (2, 2), (3, 3)'],
                Database::PostgreSql => ['CREATE TABLE k (id INT PRIMARY KEY, a INT)', 'CREATE TABLE c () INHERITS (k)',
                    'INSERT INTO c VALUES (0, 0), (1, 1), (2, 2), (3, 3)',
                    'CREATE RULE also AS ON UPDATE TO t DO ALSO UPDATE v SET b = NEW.a WHERE id = NEW.id'],
            },
        );
    }

    /** Conditions on so many columns that column sets are learned all the time, while others write. */
    private static function sets(): Theme
    {
        $columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
        $reads = $late = $writes = $after = [];
        foreach (['t', 'v'] as $table) {
            foreach ($columns as $n => $column) {
                $reads[] = "SELECT * FROM $table WHERE $column = {x}";
                $others = \array_slice($columns, $n + 1);
                foreach ($others as $m => $other) {
                    $late[] = "SELECT * FROM $table WHERE $column = {x} AND $other = {y}";
                    foreach (\array_slice($others, $m + 1) as $third) {
                        $late[] = "SELECT * FROM $table WHERE $column = {x} AND $other = {y} AND $third = {x}";
                    }
                }
            }
            $writes[] = ["UPDATE $table SET a = {x}, b = {y}, c = {x}, d = {y}, e = {y}, f = {x}, g = {y}, h = {x}"
                . ' WHERE id = {n}'];
            $writes[] = ["INSERT INTO $table VALUES ({n}, {x}, {y}, {x}, {y}, {y}, {x}, {y}, {x})"];
            $writes[] = ["DELETE FROM $table WHERE id = {n}"];
            $after[] = "UPDATE $table SET " . implode(', ', array_map(
                static fn(string $column): string => "$column = abs($column % 2)",
                $columns,
            ));
        }

        return new Theme(
            array_fill_keys(['t', 'v'], 'id INT PRIMARY KEY, ' . implode(' INT, ', $columns) . ' INT'),
            $reads,
            $writes,
            [],
            $after,
            $late,
        );
    }

    /** Rows that are in the way of new ones, and are changed. */
    private static function upserts(Database $database): Theme
    {
        $insert = 'INSERT INTO t (id, a, b) VALUES ({n}, {m}, {x})';
        $writes = [
            "$insert ON CONFLICT (id) DO UPDATE SET a = {m}",
            "$insert ON CONFLICT (id) DO UPDATE SET a = excluded.a, b = excluded.b",
        ];
        if ($database === Database::MariaDb) {
            $writes = [
                "$insert ON DUPLICATE KEY UPDATE a = {m}",
                "$insert ON DUPLICATE KEY UPDATE a = VALUES(a), b = VALUES(b)",
                'REPLACE INTO t (id, a, b) VALUES ({n}, {m}, {x})',
            ];
        }

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT, b INT'],
            ['SELECT * FROM t WHERE a = {n}', 'SELECT * FROM t WHERE id = {n}', 'SELECT * FROM t WHERE b = {x}'],
            [...array_map(static fn(string $sql): array => [$sql], $writes), ['DELETE FROM t WHERE id = {n}']],
        );
    }

    /** A schema that another connection changes. */
    private static function elsewhere(Database $database): Theme
    {
        $change = 'UPDATE t SET a = a + 1 WHERE id = {n}';
        $body = 'UPDATE v SET b = b + 1 WHERE id < 3';
        [$make, $drop] = match ($database) {
            Database::Sqlite, Database::MariaDb => [
                'CREATE TRIGGER late AFTER UPDATE ON t ' . ($database === Database::Sqlite ? '' : 'FOR EACH ROW ')
                    . "BEGIN $body; END",
                'DROP TRIGGER late',
            ],
            Database::PostgreSql => ["CREATE RULE late AS ON UPDATE TO t DO ALSO $body", 'DROP RULE late ON t'],
        };

        return new Theme(
            ['t' => 'id INT PRIMARY KEY, a INT', 'v' => 'id INT PRIMARY KEY, b INT'],
            ['SELECT * FROM t WHERE id = {n}', 'SELECT * FROM v WHERE id = {n}', 'SELECT * FROM v WHERE b = {n}',
                'SELECT * FROM seen WHERE id = {n}'],
            [
                ['BEGIN', 'DROP VIEW seen', 'CREATE VIEW seen AS SELECT id, a + {m} AS a FROM t', 'COMMIT'],
                [$change], [$change], ['INSERT INTO v (id, b) VALUES ({n}, {m})'], ["~$make"], ["~$make"],
                [$change, "~$make", $change], [$change, "~$drop", $change],
                ["~$drop"],
            ],
            [],
            ['CREATE VIEW seen AS SELECT id, a FROM t'],
        );
    }

    private static function caseless(): string
    {
        return "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
    }
}
