<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Sql;

use Larder\Sql\Reading\Column;
use Larder\Sql\Reading\Constant;
use Larder\Sql\Reading\Equality;
use Larder\Sql\Reading\Lexer;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\Query;
use Larder\Sql\Reading\Select;
use Larder\Sql\Reading\Source;
use Larder\Sql\Reading\SqliteGrammar;
use Larder\Sql\Reading\Tokens;
use Larder\Tests\Sql\DisturbedRows;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Pieces;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Parser::class)]
#[CoversClass(Tokens::class)]
#[CoversClass(Query::class)]
#[CoversClass(Select::class)]
#[CoversClass(Source::class)]
#[CoversClass(Constant::class)]
final class ParserTest extends TestCase
{
    /** Behind these the rest of the text is a condition of tests. */
    private const WHERE = 'SELECT 1 FROM t WHERE ';

    private const SCHEMA = [
        'CREATE TABLE t (id INTEGER PRIMARY KEY, c INTEGER, d INTEGER, x TEXT)',
        'CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER)',
        'CREATE TABLE ids (id INTEGER PRIMARY KEY)',
        'CREATE TABLE b (id INTEGER PRIMARY KEY, item_id INTEGER, y INTEGER)',
    ];

    /** @return iterable<string, array{string, string}> a condition and its equalities */
    public static function conditions(): iterable
    {
        foreach ([
            'id = 4' => 'id=4',
            'id == 4' => 'id=4',
            '4 = id' => 'id=4',
            'id = -4' => 'id=-4',
            '-4=id' => 'id=-4',
            '(id) = (4)' => 'id=4',
            't.id = 4' => 't.id=4',
            '"t"."ID" = 4' => 't.id=4',
            'id = ?' => 'id=?',
            'id = :Id' => 'id=?',
            "x = 'It''s'" => 'x="It\'s"',
            'id IN (4, ?, -5)' => 'id=4,?,-5',
            'id = c' => 'id=c',
            'id = 4 AND c = 5' => 'id=4 c=5',
            '((id = 4) AND (c = 5 AND d = 6))' => 'id=4 c=5 d=6',
            '1 = 1 AND id = 4' => 'id=4',
            'id = 4 AND (c = 5 OR d = 6)' => 'id=4',
            'id = 4 AND NOT c = 5' => 'id=4',
            'NOT c = 5 AND id = 4' => 'id=4',
            'c BETWEEN 1 AND 2 AND id = 4' => 'id=4',
            'c NOT BETWEEN 1 AND 2 AND id = 4' => 'id=4',
            "x LIKE 'a' ESCAPE '!' AND id = 4" => 'id=4',
            "x NOT GLOB 'a' AND id = 4" => 'id=4',
            'c IS NOT NULL AND id = 4' => 'id=4',
            'c NOT NULL AND d NOTNULL AND x ISNULL AND id = 4' => 'id=4',
            'CASE c WHEN 1 THEN 2 ELSE 3 END AND id = 4' => 'id=4',
            'id = 4 AND CAST(c AS VARCHAR(9)) < abs(-d)' => 'id=4',
            'id = 4 AND EXISTS (SELECT 1)' => 'id=4',
            'id = 4 AND c < 5 + 2 * 3 || d -> 1 & ~7 >> 1' => 'id=4',
            'id = 4 AND c IN (1, 2) = 0' => 'id=4',
            'id = 4 AND (1, 2) < (c, d)' => 'id=4',
            // No equality, or not one of a column and a constant alone.
            'id = 4=0' => '',
            'id = 4 IN (0)' => '',
            'id = 4 IS NOT NULL' => '',
            'id = 4 IS 1' => '',
            'id = 4 ISNULL' => '',
            'id = 4 NOT NULL' => '',
            'id = 4 BETWEEN 0 AND 0' => '',
            'id = 4 LIKE 0' => '',
            '(id = 4) = 0' => '',
            '0 = (id = 4)' => '',
            '(id = 4 AND c = 5) = 0' => '',
            '-(id = 4) + 1' => '',
            '(id IN (4)) - 1' => '',
            'id = 4 < 5' => '',
            'id = 4 + 1' => '',
            'id + 1 = 4' => '',
            '-id = 4' => '',
            '+id = 4' => '',
            'id = +4' => '',
            'id = - -4' => '',
            'id = ~4' => '',
            'id = -(4)' => '',
            'id = -c' => '',
            'id = 4 || 5' => '',
            "x = 'a' COLLATE nocase" => '',
            "x COLLATE nocase = 'a'" => '',
            'id = CAST(4 AS INTEGER)' => '',
            'id = abs(4)' => '',
            'id = (SELECT 4)' => '',
            'id IN (SELECT 4)' => '',
            'id IN ()' => '',
            'id IN (4, NULL)' => '',
            'id IN (4, c)' => '',
            'id NOT IN (4)' => '',
            '4 IN (id)' => '',
            '(id, c) = (4, 5)' => '',
            '(id, c) IN (VALUES (4, 5))' => '',
            'id IS 4' => '',
            'id IS NOT DISTINCT FROM 4' => '',
            'id = NULL' => '',
            'id != 4' => '',
            'id <> 4' => '',
            'id >= 4' => '',
            'id = 04' => '',
            'id = 4.0' => '',
            'id = 4e0' => '',
            'id = 0x4' => '',
            'id = 1234567890123456789' => '',
            "id = x'34'" => '',
            'id = 4 OR c = 5' => '',
            'id = 4 OR c = 5 AND d = 6' => '',
            'NOT id = 4' => '',
            'NOT (id = 4 AND c = 5)' => '',
            'NOT id = 4 = 0' => '',
            'main.t.id = 4' => '',
            "'id' = 4" => '',
            'id IN (' . implode(', ', range(1, 33)) . ')' => '',
        ] as $condition => $equalities) {
            yield $condition => [$condition, $equalities];
        }
    }

    #[DataProvider('conditions')]
    public function testFindsTheEqualitiesThatMustHold(string $condition, string $equalities): void
    {
        $query = self::parse(self::WHERE . $condition);

        self::assertInstanceOf(Query::class, $query);
        $selects = array_values(array_filter($query->selects, static fn(Select $one): bool => $one->sources !== []));
        self::assertSame('t' . ($equalities === '' ? '' : ' | ' . $equalities), self::described($selects[0]));
        self::parses(self::WHERE . $condition);
    }

    /** @return iterable<string, array{string, list<string>}> */
    public static function sources(): iterable
    {
        yield 'a comma' => ['SELECT * FROM a, b WHERE a.id = 4 AND b.y = a.x', ['a, b | a.id=4 b.y=a.x']];
        yield 'inner joins' => [
            'SELECT a.* FROM a JOIN b i ON i.y = 5 INNER JOIN b AS j ON 1 CROSS JOIN t USING (id) WHERE a.id = 4',
            ['a, b i, b j, t | i.y=5 a.id=4'],
        ];
        yield 'LEFT JOIN narrows what stands behind it' => [
            'SELECT * FROM a LEFT JOIN b ON a.id = b.item_id AND a.id = 4 WHERE b.y = 5',
            ['a, b (a.id=b.item_id a.id=4) | b.y=5'],
        ];
        yield 'RIGHT and FULL JOIN leave WHERE alone' => [
            'SELECT * FROM a JOIN b ON b.y = 5 LEFT JOIN t ON t.c = 6 FULL OUTER JOIN a a2 ON a2.x = 7 WHERE a.id = 4',
            ['a, b, t, a a2 | a.id=4'],
        ];
        yield 'RIGHT JOIN' => ['SELECT * FROM a RIGHT JOIN b ON a.id = 4 AND b.y = 5', ['a, b']];
        yield 'NATURAL' => ['SELECT * FROM a NATURAL LEFT JOIN b WHERE a.id = 4', ['a, b | a.id=4']];
        yield 'ON speaks of what stands before it' => [
            'SELECT * FROM a JOIN b ON y = 5 AND t.c = 6 JOIN t ON t.d = 7',
            ['a, b, t | y=5 t.c=6 t.d=7'],
        ];
        yield 'a derived table' => [
            'SELECT * FROM (SELECT * FROM t WHERE c = 5 LIMIT 10) n WHERE n.d = 6',
            ['t | c=5', '? n | n.d=6'],
        ];
        yield 'subqueries' => [
            'SELECT (SELECT max(y) FROM b WHERE item_id = a.id) FROM a WHERE x = 1 AND id IN (SELECT item_id FROM b)',
            ['b | item_id=a.id', 'b', 'a | x=1'],
        ];
        yield 'compounds' => [
            'SELECT id FROM a WHERE id = 4 UNION ALL SELECT id FROM b WHERE y = 5 ORDER BY 1 DESC NULLS LAST',
            ['a | id=4', 'b | y=5'],
        ];
        yield 'a common table' => [
            'WITH n(i) AS MATERIALIZED (SELECT id FROM a WHERE x = 1) SELECT * FROM n WHERE n.i = 4',
            ['a | x=1', 'n | n.i=4'],
        ];
        yield 'a table behind IN' => ['SELECT * FROM a WHERE id IN main.ids AND x = 1', ['a | x=1', 'ids whole']];
        yield 'a function as a table' => [
            "SELECT j.value FROM a, json_each(a.x) AS j WHERE j.key = 1 AND a.id = 4",
            ['a, ? j | j.key=1 a.id=4'],
        ];
        yield 'the rest' => [
            'SELECT DISTINCT a.x y, count(*), group_concat(DISTINCT x) "z" FROM main.a AS a WHERE a.id = 4'
                . ' GROUP BY a.x, 1 HAVING a.x = 5 ORDER BY a.x COLLATE NOCASE ASC, 2 LIMIT 3 OFFSET ?',
            ['a | a.id=4'],
        ];
        yield 'VALUES' => ['VALUES (1, 2), (3, 4)', []];
    }

    /** @param list<string> $described */
    #[DataProvider('sources')]
    public function testTellsWhichEqualitiesHoldForWhichSource(string $sql, array $described): void
    {
        $query = self::parse($sql);

        self::assertInstanceOf(Query::class, $query);
        self::assertSame($described, [
            ...array_map(self::described(...), $query->selects),
            ...array_map(static fn(string $table): string => $table . ' whole', $query->whole),
        ]);
        self::parses($sql);
    }

    /** @return iterable<string, array{string}> */
    public static function unknown(): iterable
    {
        foreach ([
            'SELECT 1 FROM t WHERE id=1 AND c=5 XOR 1=1', 'SELECT 1 FROM t WHERE id = NOT 4', 'SELECT 1 FROM t WHERE',
            'SELECT 1 FROM t WHERE id = 4)', 'SELECT 1 FROM t WHERE (id = 4', 'SELECT 1 FROM t WHERE id <=> 4',
            'SELECT 1 FROM t WHERE id = 4 DIV 2', 'SELECT 1 FROM t WHERE id := 4', 'SELECT 1 FROM t WHERE id = c d',
            'SELECT 1 FROM t WHERE id BETWEEN 1 OR 2 AND 3', 'SELECT 1 FROM t WHERE id = :a OR c = :A',
            'SELECT sum(c) OVER (PARTITION BY d) FROM t', 'SELECT sum(c) FILTER (WHERE d) FROM t',
            'SELECT 1 FROM (a JOIN b)', 'SELECT 1 FROM other.a', 'SELECT 1 FROM t INDEXED BY i', "SELECT 1 FROM 't'",
            'SELECT 1 FROM t ON id = 4', 'SELECT 1 FROM a STRAIGHT_JOIN b', 'SELECT 1 FROM a LEFT b', 'SELECT',
            'SELECT 1 FROM t LIMIT 1 FOR UPDATE', 'SELECT 1 FROM t WHERE id IN json_each(1)', 'DELETE FROM t', '',
            'SELECT ' . str_repeat('(', 70) . '1' . str_repeat(')', 70),
            'SELECT 1 FROM t' . str_repeat(', t', 70),
            'SELECT 1 FROM t WHERE id = 1' . str_repeat(' AND id = 1', 300),
        ] as $sql) {
            yield substr($sql, 0, 60) => [$sql];
        }
    }

    #[DataProvider('unknown')]
    public function testWhatTheGrammarDoesNotHaveIsNotUnderstood(string $sql): void
    {
        self::assertNull(self::parse($sql));
    }

    public function testAColumnIsOfASourceOnlyIfItCanBeOfNoOther(): void
    {
        $select = self::parse('SELECT 1 FROM a, b a, t')->selects[0] ?? null;
        $columns = [['id', 'x'], ['id', 'y'], ['id', 'c']];

        self::assertSame(2, $select?->sourceOf(new Column('id', 't'), $columns));
        self::assertNull($select->sourceOf(new Column('id', 'a'), $columns));
        self::assertNull($select->sourceOf(new Column('id', 'b'), $columns));
        self::assertNull($select->sourceOf(new Column('id'), $columns));
        self::assertNull($select->sourceOf(new Column('z'), $columns));
        self::assertSame(1, $select->sourceOf(new Column('y'), $columns));
        self::assertNull($select->sourceOf(new Column('y'), [['id', 'x'], ['id', 'y'], null]));
        self::assertSame(0, self::parse('SELECT 1 FROM a')?->selects[0]->sourceOf(new Column('id'), [null]));
    }

    public function testNumbersParametersAsSqliteDoes(): void
    {
        $sql = 'SELECT ? AS a, :b AS b, ?5 AS c, ? AS d, :b AS e, @f AS f, ?2 AS g';
        $database = new PDO('sqlite::memory:');
        $statement = $database->prepare($sql);
        $values = [];
        foreach (range(1, 7) as $position) {
            $values[$position] = 'v' . $position;
            $statement->bindValue($position, $values[$position]);
        }
        $statement->execute();

        $ends = [];
        $list = Lexer::tokens($sql, new SqliteGrammar(), $ends) ?? [];
        $tokens = new Tokens($list, $sql, $ends, new SqliteGrammar());
        $sent = static fn(int $position): array => [$values[$position]];
        $found = [];
        for (; $tokens->kind() !== ''; $tokens->skip((int) ($tokens->kind() !== 'parameter'))) {
            if ($tokens->kind() === 'parameter') {
                $found[] = $tokens->parameter();
            }
        }
        self::assertSame(
            $statement->fetch(PDO::FETCH_NUM),
            array_map(static fn(Constant $one): int|string|null => $one->value($sent), $found),
        );
    }

    public function testNoConditionIsFoundThatARowOfTheResultDoesNotFulfil(): void
    {
        $narrowed = (new DisturbedRows(new PDO('sqlite::memory:'), 'TEXT'))->conditions(
            new SqliteGrammar(),
            ['', '', '', '(', '(', 'NOT', '-', '~'],
            ['id', 'c', 'd', '0', '1', '2', 'id = 1', 'c = 2', 'd IN (0, 2)', '1 = 1'],
            [
                '', '', '', ')', 'ISNULL', 'NOTNULL', 'IS NOT NULL', 'IN (0, 1)', 'NOT IN (1)', 'BETWEEN 0 AND 1',
                'COLLATE NOCASE', '= 1', '= 0', 'IN (2)',
            ],
            [
                '=', '=', '==', 'AND', 'AND', 'AND', 'AND', 'OR', '<', '<>', '+', '&', '||', 'IS', 'IS NOT', '*', '->',
                '>>', 'LIKE', 'IS NOT DISTINCT FROM',
            ],
            10_000,
        );
        self::assertGreaterThan(300, $narrowed);
    }

    public function testAnyTextEndsInAQueryOrInNone(): void
    {
        $random = new Pieces(new Choices(151));
        $pieces = [
            'SELECT', '*', 'FROM', 't', 'a.', ',', 'JOIN', 'LEFT JOIN', 'ON', 'USING', 'WHERE', '(', '(', ')', ')',
            'id', '=', 'IN', '?', ':a', '4', "'x'", 'AND', 'NOT', 'WITH', 'AS', 'UNION', 'VALUES', 'ORDER BY', 'LIMIT',
            'CASE', 'WHEN', 'END',
            'CAST', 'EXISTS', '-', '|', '.', ';', '"q"', '[', "'", "\xff", "\0", 'BETWEEN', 'NULLS',
        ];
        for ($round = 0; $round < 10_000; ++$round) {
            $sql = ['SELECT ', 'SELECT 1 FROM t WHERE ', 'SELECT 1 FROM '][$round % 3]
                . $random->text($pieces, 15, [' ', '', ' ']);
            $query = self::parse($sql);
            if ($query !== null) {
                foreach ($query->tables() as $table) {
                    self::assertStringContainsString($table, strtolower($sql));
                }
            }
        }
        foreach (['(', '-', 'NOT ', 'id = 1 AND ', 'CASE ', '(SELECT ', 'a, ', 'a.x IN (', '1 = '] as $piece) {
            foreach (['SELECT ', 'SELECT 1 FROM t WHERE ', 'SELECT 1 FROM '] as $begin) {
                self::assertNull(self::parse($begin . str_repeat($piece, 20_000)));
            }
        }
    }

    private static function parse(string $sql): ?Query
    {
        $ends = [];
        $grammar = new SqliteGrammar();
        $tokens = Lexer::tokens($sql, $grammar, $ends);

        return $tokens === null ? null : Parser::parse($sql, $tokens, $ends, $grammar);
    }

    /** What is understood here must be SQL. */
    private static function parses(string $sql): void
    {
        $database = new PDO('sqlite::memory:');
        foreach (self::SCHEMA as $create) {
            $database->exec($create);
        }
        $database->prepare($sql);
    }

    private static function described(Select $select): string
    {
        $sources = array_map(
            static fn(Source $source): string => ($source->table ?? '?')
                . ($source->name === $source->table ? '' : ' ' . $source->name)
                . ($source->matches === [] ? '' : ' (' . self::listed($source->matches) . ')'),
            $select->sources,
        );

        return implode(', ', $sources) . ($select->equalities === [] ? '' : ' | ' . self::listed($select->equalities));
    }

    /** @param list<Equality> $equalities */
    private static function listed(array $equalities): string
    {
        $name = static fn(Column $column): string => ($column->source === null ? '' : $column->source . '.')
            . $column->name;

        return implode(' ', array_map(
            static fn(Equality $one): string => $name($one->column) . '=' . ($one->to instanceof Column
                ? $name($one->to)
                : implode(',', array_map(static fn(Constant $constant): string => match (true) {
                    $constant->value(null) === null => '?',
                    default => (string) json_encode($constant->value(null)),
                }, $one->to))),
            $equalities,
        ));
    }
}
