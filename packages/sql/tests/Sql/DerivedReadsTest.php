<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\DerivedReads;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RecordingStatement;
use Larder\Sql\Tracker\Statement;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Column;
use Larder\Tests\Support\Sql\Query;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\ReadMaker;
use Larder\Tests\Support\Sql\SqliteWords;
use PDO;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(DerivedReads::class)]
#[CoversClass(RecordedReads::class)]
#[CoversClass(RecordingStatement::class)]
#[CoversClass(Statement::class)]
final class DerivedReadsTest extends TestCase
{
    private RecordingPdo $database;

    protected function setUp(): void
    {
        $this->database = new RecordingPdo('sqlite::memory:', self::registry());
        foreach ([
            'CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, author TEXT COLLATE NOCASE, points INTEGER)',
            'CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, author TEXT COLLATE NOCASE, kind TEXT)',
            'CREATE TABLE word (id INTEGER PRIMARY KEY, Word TEXT, news_id INTEGER)',
            "INSERT INTO news VALUES (1, 'net', 'Bob', 1), (2, 'web', 'bob', 2), (3, NULL, 'Eve', NULL)",
            "INSERT INTO news VALUES (4, 'net', 'eve', 1), (5, 'web', NULL, 2), (6, 'Net', 'BOB', 3)",
            "INSERT INTO comment VALUES (1, 1, 'Bob', 'a'), (2, 1, 'eve', 'b'), (3, 2, 'bob', NULL)",
            "INSERT INTO comment VALUES (4, NULL, 'Eve', 'a'), (5, 4, 'BOB', 'net'), (6, 9, 'x', 'A')",
            "INSERT INTO word VALUES (1, 'net', 1), (2, 'web', 1), (3, 'net', 2), (4, 'a', NULL), (5, 'A', 4)",
        ] as $sql) {
            $this->database->exec($sql);
        }
    }

    /** @return iterable<string, array{string, list<string>, 2?: array<array-key, scalar|null>}> */
    public static function statements(): iterable
    {
        foreach ([
            // Rows.
            ['SELECT * FROM news WHERE id = 4', ['news:4']],
            ['SELECT * FROM NEWS n WHERE 4 = N.ID AND n.points > 2', ['news:4']],
            ['SELECT * FROM news WHERE id = -4', ['news:-4']],
            ['SELECT * FROM news WHERE id = ?', ['news:4'], [4]],
            ['SELECT * FROM news WHERE id = ?', ['news:4'], ['4']],
            ['SELECT * FROM news WHERE id = :id', ['news:4'], ['id' => 4]],
            ['SELECT * FROM news WHERE id = :Id', ['news:4'], [':Id' => 4]],
            ['SELECT * FROM news WHERE points > ? AND id = ?', ['news:4'], [5, 4]],
            ['SELECT * FROM news WHERE points > ?2 AND id = ?1', ['news:4'], [4, 5]],
            ['SELECT * FROM news WHERE id IN (4, 5) AND id = 6', ['news:6']],
            ['SELECT * FROM news WHERE id = 6 AND id IN (4, 5)', ['news:6']],
            ['SELECT * FROM news WHERE id IN (4, ?, 5)', ['news:4', 'news:5', 'news:6'], [6]],
            ["SELECT * FROM news WHERE category = 'net' AND id = 4", ['news:4']],
            // Values that are not of the column's own type.
            ['SELECT * FROM news WHERE id = ?', ['news'], ['04']],
            ['SELECT * FROM news WHERE id = ?', ['news'], [' 4']],
            ['SELECT * FROM news WHERE id = ?', ['news'], ['4.0']],
            ['SELECT * FROM news WHERE id = ?', ['news'], [4.5]],
            ['SELECT * FROM news WHERE id = ?', ['news'], [null]],
            ['SELECT * FROM news WHERE id = ?', ['news'], []],
            ['SELECT * FROM news WHERE id IN (4, ?)', ['news'], [null]],
            ['SELECT * FROM news WHERE category = 4', ['news']],
            ['SELECT * FROM news WHERE category = ?', ['news'], [4]],
            ['SELECT * FROM news WHERE category = ?', ['news'], ["a\0b"]],
            ['SELECT * FROM news WHERE category = ?', ['news'], ["\xff"]],
            // Sets.
            ['SELECT count(*) FROM news WHERE category = ?', ['news?category=net'], ['net']],
            ['SELECT count(*) FROM news WHERE author = ?', ['news?author=bob'], ['Bob']],
            ["SELECT 1 FROM news WHERE category = 'net' AND author = 'Bob'", ['news?author=bob&category=net']],
            ["SELECT 1 FROM news WHERE category IN ('a', 'b') AND author IN ('c', 'd')", [
                'news?author=c&category=a', 'news?author=c&category=b', 'news?author=d&category=a',
                'news?author=d&category=b',
            ]],
            ["SELECT 1 FROM news WHERE category = 'net' AND author = ?", ['news?category=net'], [null]],
            ['SELECT 1 FROM news WHERE category = ? AND category = ?', ['news?category=net'], [null, 'net']],
            ['SELECT 1 FROM news WHERE points = 1', ['news']],
            ['SELECT 1 FROM word WHERE wORD = ?', ['word?Word=net'], ['net']],
            // Joins: a constant goes on to columns of the same type.
            ['SELECT 1 FROM news n, comment c WHERE n.id = 4 AND c.news_id = n.id', ['comment?news_id=4', 'news:4']],
            [
                'SELECT 1 FROM word w JOIN comment c ON c.news_id = w.news_id JOIN news n ON n.id = c.news_id'
                    . ' WHERE w.news_id IN (4, 5)',
                ['comment?news_id=4', 'comment?news_id=5', 'news:4', 'news:5', 'word?news_id=4', 'word?news_id=5'],
            ],
            [
                "SELECT 1 FROM news n JOIN comment c ON c.author = n.author AND n.author = 'Bob'",
                ['comment?author=bob', 'news?author=bob'],
            ],
            ["SELECT 1 FROM news n JOIN word w ON w.Word = n.author AND n.author = 'Bob'", ['news?author=bob', 'word']],
            ["SELECT 1 FROM word w JOIN news n ON w.Word = n.author AND w.Word = 'Bob'", ['news', 'word?Word=Bob']],
            ['SELECT 1 FROM news n JOIN word w ON w.Word = n.id AND n.id = 4', ['news:4', 'word']],
            ['SELECT 1 FROM news n, comment c WHERE n.id = ? AND c.news_id = n.id', ['comment', 'news'], [null]],
            ['SELECT 1 FROM news n JOIN word w USING (id) WHERE n.id = 4', ['news:4', 'word']],
            // Columns without a name before them: of `word` not all columns are known.
            ['SELECT 1 FROM news JOIN word ON news_id = 4 WHERE points = 5', ['news', 'word']],
            ["SELECT 1 FROM news JOIN comment ON kind = 'a' AND category = 'net'", ['comment', 'news?category=net']],
            [
                'SELECT 1 FROM news n LEFT JOIN comment c ON news_id = n.id AND points = 2 WHERE n.id = 4',
                ['comment?news_id=4', 'news:4'],
            ],
            ["SELECT 1 FROM news n, (SELECT 1 AS points) p WHERE category = 'net'", ['news']],
            ["SELECT 1 FROM news n WHERE EXISTS (SELECT 1 FROM comment c, comment d WHERE category = 'net')", [
                'comment', 'news',
            ]],
            // An ON that speaks of what stands behind it.
            ['SELECT 1 FROM news n JOIN comment c ON w.news_id = 4 JOIN word w', ['comment', 'news', 'word']],
            ['SELECT 1 FROM word w JOIN news n ON c.id = 4 LEFT JOIN comment c', ['comment', 'news', 'word']],
            // Outer joins.
            ['SELECT 1 FROM news n LEFT JOIN comment c ON n.id = c.news_id AND n.id = 4', [
                'comment?news_id=4', 'news',
            ]],
            [
                'SELECT 1 FROM news n LEFT JOIN comment c ON n.id = c.news_id WHERE n.id = 4',
                ['comment?news_id=4', 'news:4'],
            ],
            [
                'SELECT 1 FROM news n LEFT JOIN comment c ON n.id = c.news_id WHERE c.news_id = 4',
                ['comment?news_id=4', 'news'],
            ],
            ['SELECT 1 FROM news n LEFT JOIN comment c ON c.id = 5 WHERE c.news_id IS NULL', ['comment:5', 'news']],
            ['SELECT 1 FROM news n RIGHT JOIN comment c ON n.id = 4 AND c.id = 5', ['comment', 'news']],
            ['SELECT 1 FROM news n FULL JOIN comment c ON n.id = 4 AND c.id = 5', ['comment', 'news']],
            ['SELECT 1 FROM news n FULL JOIN comment c ON n.id = 4 WHERE c.id = 5', ['comment:5', 'news']],
            // Each use for itself.
            ['SELECT 1 FROM news a, news b WHERE a.id = 4', ['news', 'news:4']],
            ['SELECT 1 FROM news a, news b WHERE a.id = 4 AND b.id = 5', ['news:4', 'news:5']],
            ['SELECT 1 FROM news comment, comment news WHERE news.id = 4', ['comment:4', 'news']],
            ['SELECT * FROM (SELECT * FROM news LIMIT 10) n WHERE n.id = 4', ['news']],
            ['SELECT * FROM (SELECT * FROM news WHERE id = 5) n, comment c WHERE n.id = c.id AND n.id = 4', [
                'comment', 'news:5',
            ]],
            ['SELECT (SELECT count(*) FROM comment WHERE news_id = n.id) FROM news n WHERE id = 4', [
                'comment', 'news:4',
            ]],
            ['SELECT 1 FROM news WHERE id IN (SELECT id FROM word WHERE Word = ?)', ['news', 'word?Word=a'], ['a']],
            ['SELECT id FROM news WHERE id = 4 UNION SELECT id FROM comment WHERE id = 5', ['comment:5', 'news:4']],
            ['WITH w AS (SELECT * FROM news WHERE id = 4) SELECT * FROM w WHERE id = 5', ['news:4']],
            ['WITH word AS (SELECT * FROM news WHERE id = 4) SELECT * FROM word WHERE id = 5', ['news', 'word']],
            ["SELECT 4 AS id, comment.kind AS word FROM comment WHERE id = 5 AND kind = 'a'", ['comment:5']],
            // What the grammar does not have is read as ever.
            ['SELECT sum(id) OVER () FROM news WHERE id = 4', ['news']],
            ['SELECT sum(word) OVER () FROM news, (SELECT 4 AS word)', ['news', 'word']],
        ] as $case) {
            yield $case[0] . ' ' . json_encode($case[2] ?? [], JSON_INVALID_UTF8_SUBSTITUTE) => $case;
        }
    }

    /**
     * @param list<string>                   $names
     * @param array<array-key, scalar|null> $parameters
     */
    #[DataProvider('statements')]
    public function testNamesWhatAStatementReads(string $sql, array $names, array $parameters = []): void
    {
        $reads = $this->record(static fn(RecordingPdo $pdo) => $pdo->run($sql, $parameters));
        self::assertSame($names, self::narrow($reads), 'run()');

        $reads = $this->record(static fn(RecordingPdo $pdo) => $pdo->select($sql, $parameters));
        self::assertSame($names, self::narrow($reads), 'select()');
        if ($parameters === []) {
            $reads = $this->record(static fn(RecordingPdo $pdo) => $pdo->query($sql));
            self::assertSame($names, self::narrow($reads), 'query()');
        }
    }

    public function testASecondExecutionHasItsOwnValues(): void
    {
        $statement = $this->database->prepare('SELECT * FROM news WHERE id = ? AND points > ?');
        self::assertSame(['news:4'], $this->executed($statement, static fn() => $statement->execute([4, 1])));
        self::assertSame(['news:5'], $this->executed($statement, static fn() => $statement->execute([5, 1])));
        // SQLite still has 5 for the first.
        self::assertSame(['news'], $this->executed($statement, static fn() => $statement->execute([1 => 1])));

        $id = 1;
        $statement->bindParam(1, $id, PDO::PARAM_INT);
        $id = 6;
        self::assertSame(['news:6'], $this->executed($statement, static fn() => $statement->execute()));
        // From here on it is bound no more, and keeps its value.
        $bound = ['id' => 6];
        $statement->bindParam(1, $bound['id'], PDO::PARAM_INT);
        $statement->execute([7, 1]);
        $statement->bindParam(1, $bound['id'], PDO::PARAM_INT);
        $statement->bindValue(1, 8, PDO::PARAM_INT);
        self::assertSame(['news:8'], $this->executed($statement, static fn() => $statement->execute()));
        self::assertSame('{"id":6}', json_encode($bound));
    }

    /** @return iterable<string, array{mixed, int, list<string>}> */
    public static function bindings(): iterable
    {
        yield 'a number' => [4, PDO::PARAM_INT, ['news:4']];
        yield 'a number as a string' => [4, PDO::PARAM_STR, ['news:4']];
        yield 'a string as a number: the database gets what PHP makes of it' => ['4x', PDO::PARAM_INT, ['news:4']];
        yield 'no number' => ['4x', PDO::PARAM_STR, ['news']];
        yield 'a string as bytes' => ['4', PDO::PARAM_LOB, ['news']];
        yield 'a number as a bool' => [4, PDO::PARAM_BOOL, ['news']];
        yield 'a number as null' => [4, PDO::PARAM_NULL, ['news']];
    }

    /** @param list<string> $names */
    #[DataProvider('bindings')]
    public function testOnlyAValueThatTheDatabaseGetsAsItIsNarrows(mixed $value, int $type, array $names): void
    {
        $statement = $this->database->prepare('SELECT * FROM news WHERE id = :id');
        $statement->bindValue(':id', $value, $type);
        self::assertSame($names, $this->executed($statement, static fn() => $statement->execute()));
    }

    public function testAParameterBoundByNameAndByPositionNarrowsNothing(): void
    {
        $statement = $this->database->prepare('SELECT * FROM news WHERE id = :id');
        $statement->bindValue('id', 4, PDO::PARAM_INT);
        $statement->bindValue(1, 5, PDO::PARAM_INT);
        self::assertSame(['news'], $this->executed($statement, static fn() => $statement->execute()));

        // A number as a name is no position.
        $reads = $this->record(static fn(RecordingPdo $pdo) => $pdo->select(
            'SELECT * FROM news WHERE points = :2 AND id = :1',
            [':1' => 4, ':2' => 5],
        ));
        self::assertSame(['news:4'], self::narrow($reads));
    }

    public function testATableThatIsDeclaredAnewIsReadAsItIsThen(): void
    {
        $statement = Statement::parse('SELECT 1 FROM t WHERE t.a = 1', $this->database->dialect()->grammar());
        $names = [];
        foreach ([[['a']], [], [['a'], ['b']]] as $sets) {
            $columns = array_fill_keys(['id', 'a', 'b'], ColumnType::Integer);
            $registry = new Registry(new Table('t', 'id', $columns, $sets));
            $names[] = implode(' ', $statement->reads($registry)?->names() ?? []);
        }
        $names[] = implode(' ', $statement->reads(new Registry())?->names() ?? []);
        self::assertSame(['t?a=1', 't', 't?a=1', ''], $names);
    }

    public function testAStatementThatIsKnownIsReadByTheTablesThatTheDatabaseHasNow(): void
    {
        $pdo = new RecordingPdo('sqlite::memory:');
        $names = [];
        foreach (['id INTEGER PRIMARY KEY', 'id TEXT, a PRIMARY KEY', 'id TEXT PRIMARY KEY NOT NULL'] as $columns) {
            $pdo->exec('DROP TABLE IF EXISTS t');
            $pdo->exec("CREATE TABLE t ($columns)");
            $reads = new RecordedReads($pdo->registry());
            $one = $pdo->prepare('SELECT 1 FROM t WHERE id = ?');
            $pdo->tracker()->record($reads, static fn() => $one->execute(['x']));
            $other = $pdo->prepare('SELECT 2 FROM t WHERE id = ?');
            $pdo->tracker()->record($reads, static fn() => $other->execute(['4']));
            $names[] = implode(' ', $reads->names());
        }
        self::assertSame(['t t! t:4', 't t!', 't! t:4 t:x'], $names);
    }

    public function testAGivenNameCoversItsTable(): void
    {
        $reads = $this->record(static fn(RecordingPdo $pdo) => $pdo->select(
            'SELECT 1 FROM news n JOIN comment c ON c.news_id = n.id WHERE n.id = 4',
            [],
            self::registry()->set('news', ['category' => 'net']),
        ));
        self::assertSame(['comment?news_id=4', 'news?category=net'], self::narrow($reads));
    }

    public function testTwoReadersThatFindOtherTablesAreBothDoubted(): void
    {
        $sql = "SELECT 1 FROM news, %sjson_each('[1]') WHERE news.id = 4";
        $grammar = $this->database->dialect()->grammar();

        self::assertNotNull(Statement::parse(\sprintf($sql, ''), $grammar)->reads(self::registry()));
        self::assertNull(Statement::parse(\sprintf($sql, 'main.'), $grammar)->reads(self::registry()));
    }

    public function testWantsTheSetsThatWouldHaveNarrowed(): void
    {
        $reads = $this->record(static function (RecordingPdo $pdo): void {
            $pdo->query("SELECT 1 FROM news WHERE points = 1 AND category = 'net'");
            $pdo->query('SELECT 1 FROM news WHERE points IN (1, 2)');
            $pdo->query('SELECT 1 FROM news WHERE points IN (1, 2)');
            // A row, a declared set, a value that is not known, a table that a given name covers.
            $pdo->query('SELECT 1 FROM news WHERE id = 4 AND points = 1');
            $pdo->query("SELECT 1 FROM news WHERE category = 'net'");
            $pdo->run('SELECT 1 FROM comment WHERE kind = ?', [null]);
            $pdo->select("SELECT 1 FROM comment WHERE kind = 'a'", [], self::registry()->table('comment'));
        });
        self::assertSame(['news' => [['category', 'points'], ['points']]], $reads->wanted());

        $outer = new RecordedReads(self::registry());
        $outer->include($reads);
        self::assertSame($reads->wanted(), $outer->wanted());
    }

    public function testAConstantGoesOnToAnotherColumnOnlyWhereBothFindTheSameTextsEqual(): void
    {
        $sql = "SELECT 1 FROM a JOIN b ON a.x = b.y WHERE a.x = 'Ab '";
        foreach ([
            'a?x=Ab%20 b?y=Ab%20' => ColumnType::Ascii,
            'a?x=Ab b?y=Ab' => ColumnType::AsciiPadded,
            // Their collations may differ, and then so do the texts that are equal to a third one.
            'a?x=ab%20 b' => ColumnType::AsciiNoCase,
            'a?x=ab b' => ColumnType::AsciiPaddedNoCase,
        ] as $names => $type) {
            $registry = new Registry(
                new Table('a', '', ['x' => $type], [['x']]),
                new Table('b', '', ['y' => $type], [['y']]),
            );
            $statement = Statement::parse($sql, $this->database->dialect()->grammar());
            self::assertSame($names, implode(' ', $statement->reads($registry)?->names() ?? []));
        }
    }

    public function testASetHasFourColumnsAndStandsForAtMost32Names(): void
    {
        $columns = array_fill_keys(['id', 'a', 'b', 'c', 'd', 'e'], ColumnType::Integer);
        $registry = new Registry(new Table('t', 'id', $columns, [['a'], ['a', 'b']]));
        $derive = static fn(string $where): ?DerivedReads => Statement::parse(
            'SELECT 1 FROM t WHERE ' . $where,
            (new RecordingPdo('sqlite::memory:', $registry))->dialect()->grammar(),
        )->reads($registry);

        $wanted = [];
        $derive('e = 1 AND d = 1 AND c = 1 AND b = 1 AND a = 1')?->names(wanted: $wanted);
        self::assertSame(['t' => ['a,b,c,d' => ['a', 'b', 'c', 'd']]], $wanted);

        $wanted = [];
        $many = $derive('a IN (1, 2) AND b IN (' . implode(', ', range(1, 17)) . ') AND c = 1');
        self::assertSame(['t?a=1', 't?a=2'], array_map(strval(...), $many?->names(wanted: $wanted) ?? []));
        self::assertSame(['t' => ['a,c' => ['a', 'c']]], $wanted);
    }

    /** Rows that no name covers are removed, changed or added: then each query must find what it found before. */
    public function testRowsThatNoNameCoversDoNotMatter(): void
    {
        $choices = new Choices(1515);
        $tables = array_map(
            static fn(Table $table): RandomTable => new RandomTable($table->name, array_map(
                static fn(string $column, ColumnType $type): Column => match ($type) {
                    ColumnType::Integer => new Column($column, 'INTEGER'),
                    ColumnType::TextNoCase => new Column($column, 'TEXT', 'NOCASE'),
                    default => new Column($column, 'TEXT'),
                },
                array_keys($table->columns),
                $table->columns,
            ), ['id']),
            self::registry()->tables(),
        );
        self::assertNotSame([], $tables);
        $maker = new ReadMaker($choices, new SqliteWords(), $tables, $tables);
        $narrow = $notEmpty = 0;
        for ($round = 0; $round < 3000; ++$round) {
            $read = $maker->make();
            $sql = "$read->query";
            $run = static fn(RecordingPdo $pdo): PDOStatement => $read->query->run($pdo);
            try {
                $reads = $this->record($run);
            } catch (PDOException) {
                continue;
            }
            if ($read->isArbitrary || $reads->refusal() !== null) {
                continue;
            }
            $before = $this->found($read->query);
            $this->database->exec('BEGIN');
            foreach (self::registry()->tables() as $table) {
                if (!\in_array($table->name, $reads->names(), true)) {
                    ++$narrow;
                    $this->disturb($choices, $table, $reads->names());
                }
            }
            self::assertSame($before, $this->found($read->query), $sql . ' reads ' . implode(', ', $reads->names()));
            $this->database->exec('ROLLBACK');
            $notEmpty += (int) ($before !== [] && $narrow > 0);
        }
        self::assertGreaterThan(1000, $narrow);
        self::assertGreaterThan(200, $notEmpty);
    }

    private static function registry(): Registry
    {
        [$integer, $text, $noCase] = [ColumnType::Integer, ColumnType::Text, ColumnType::TextNoCase];

        return new Registry(
            new Table(
                'news',
                'id',
                ['id' => $integer, 'category' => $text, 'author' => $noCase, 'points' => $integer],
                [['category'], ['author'], ['category', 'author']],
                ['id', 'category', 'author', 'points'],
            ),
            new Table(
                'comment',
                'id',
                ['id' => $integer, 'news_id' => $integer, 'author' => $noCase, 'kind' => $text],
                [['news_id'], ['author']],
                ['id', 'news_id', 'author', 'kind'],
            ),
            new Table(
                'word',
                'id',
                ['id' => $integer, 'Word' => $text, 'news_id' => $integer],
                [['Word'], ['news_id']],
            ),
        );
    }

    /**
     * Removes half of the rows that no name covers, changes others, and adds some.
     *
     * @param list<string> $names
     */
    private function disturb(Choices $choices, Table $table, array $names): void
    {
        /** @var list<array<string, int|string|null>> $rows */
        $rows = $this->database->run("SELECT * FROM $table->name")->fetchAll(PDO::FETCH_ASSOC);
        foreach ($rows as $row) {
            if (array_intersect(self::emitted($table, $row), $names) === []) {
                $this->database->run("DELETE FROM $table->name WHERE id = ?", [(int) $row['id']]);
            }
        }
        foreach ($rows as $row) {
            $row['id'] = 20 + $choices->number(0, 3);
            foreach (array_keys($row) as $column) {
                if ($column !== 'id' && $choices->happens(50)) {
                    $row[$column] = $choices->one($table->columns[$column] === ColumnType::Integer
                        ? [1, 2, 4]
                        : ['b', 'B', 'ab', 'a', '4']);
                }
            }
            if (array_intersect(self::emitted($table, $row), $names) === []) {
                $marks = implode(', ', array_fill(0, \count($row), '?'));
                $this->database->run("INSERT OR IGNORE INTO $table->name VALUES ($marks)", array_values($row));
            }
        }
    }

    /**
     * @param array<string, int|string|null> $row
     *
     * @return list<string> what a change of the row makes known
     */
    private static function emitted(Table $table, array $row): array
    {
        return array_map(strval(...), [
            $table->row($row['id'] ?? 0),
            ...array_map(
                static fn(array $set): Name => $table->set(array_intersect_key($row, array_flip($set))),
                $table->sets,
            ),
        ]);
    }

    /** @return list<string> the rows as texts, sorted */
    private function found(Query $query): array
    {
        $rows = array_map(json_encode(...), Query::rows($query->run($this->database)));
        sort($rows);

        return array_map(strval(...), $rows);
    }

    /**
     * @param Closure(): mixed $execute
     *
     * @return list<string>
     */
    private function executed(PDOStatement $statement, Closure $execute): array
    {
        $reads = $this->record(static fn() => $execute());
        $statement->closeCursor();

        return self::narrow($reads);
    }

    /** @return list<string> without those that each read of a table has */
    private static function narrow(RecordedReads $reads): array
    {
        return array_values(array_filter(
            $reads->names(),
            static fn(string $name): bool => !str_ends_with($name, '!'),
        ));
    }

    /** @param Closure(RecordingPdo): mixed $make */
    private function record(Closure $make): RecordedReads
    {
        $reads = new RecordedReads($this->database->registry());
        $this->database->tracker()->record($reads, fn(): mixed => $make($this->database));

        return $reads;
    }
}
