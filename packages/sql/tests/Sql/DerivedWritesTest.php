<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\OneWriterChange;
use Larder\Sql\Tracker\OneWriterImages;
use Larder\Sql\Tracker\OneWriterRunner;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RecordingStatement;
use Larder\Sql\Tracker\Transaction;
use Larder\Sql\Tracker\Writes;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NotingAnnouncer;
use Larder\Tests\Support\TestLog;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Which names plain statements announce, without a word from the application. */
#[CoversClass(AffectedRows::class)]
#[CoversClass(OneWriterChange::class)]
#[CoversClass(OneWriterImages::class)]
#[CoversClass(Writes::class)]
#[CoversClass(OneWriterRunner::class)]
#[CoversClass(Transaction::class)]
#[CoversClass(SideEffects::class)]
#[CoversClass(RecordingStatement::class)]
final class DerivedWritesTest extends TestCase
{
    private const NEWS = 'CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, author TEXT COLLATE NOCASE,'
        . ' title TEXT UNIQUE);'
        . " INSERT INTO news VALUES (4, 'net', 'Bob', 'four'), (5, 'web', 'Eve', 'five'), (6, NULL, 'Bob', 'six')";

    private const COMMENT = 'CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, text TEXT)';

    private const FOUR = ['news', 'news:4', 'news?author=bob', 'news?category=net'];

    private const FIVE = ['news', 'news:5', 'news?author=eve', 'news?category=web'];

    private const CHILD = "DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER"
        . " REFERENCES news (id) ON DELETE CASCADE, text TEXT); INSERT INTO comment VALUES (1, 4, 'first'),"
        . " (2, 4, 'more'), (3, 5, 'other')";

    private const ENFORCED = '; PRAGMA foreign_keys = ON';

    /** @var list<string> what was announced, sorted */
    private array $announced = [];

    /** @return iterable<string, array{list<string>, list<string>, 2?: string}> statements, names, and a schema */
    public static function writes(): iterable
    {
        yield 'UPDATE by key' => [["UPDATE news SET title = 'x' WHERE id = 4"], self::FOUR];
        yield 'the old set and the new one' => [
            ["UPDATE news SET category = 'mail' WHERE id = 4"],
            [...self::FOUR, 'news?category=mail'],
        ];
        yield 'from no category and back to none' => [
            ["UPDATE news SET category = 'net' WHERE category IS NULL", 'UPDATE news SET category = NULL WHERE id = 4'],
            [...self::FOUR, 'news:6', 'news?category'],
        ];
        yield 'UPDATE of several rows' => [
            ["UPDATE news SET title = upper(title) WHERE author = 'BOB' AND id BETWEEN 1 AND 5 OR id IN (5)"],
            [...self::FOUR, ...self::FIVE],
        ];
        yield 'UPDATE of all rows' => [
            ["UPDATE news SET category = 'all'"],
            [...self::FOUR, ...self::FIVE, 'news:6', 'news?category', 'news?category=all'],
        ];
        yield 'UPDATE that finds nothing' => [["UPDATE news SET title = 'x' WHERE id = 99"], []];
        yield 'what follows a comment, and other quotes' => [
            ["UPDATE main.[news] SET title = 'WHERE' /* WHERE 1 */ WHERE `news`.\"id\" = 4 -- ;"],
            self::FOUR,
        ];
        yield 'a value that the clock and a subquery make' => [
            ["UPDATE news SET title = datetime('now') || (SELECT count(*) FROM comment WHERE id > 4) WHERE id = 4"],
            self::FOUR,
        ];
        yield 'DELETE' => [["DELETE FROM news WHERE title = 'four'"], self::FOUR];
        yield 'DELETE that finds nothing' => [['DELETE FROM news WHERE 0'], []];
        yield 'DELETE of a row distinct from another' => [
            ["DELETE FROM news WHERE category IS NOT DISTINCT FROM 'net'"],
            self::FOUR,
        ];
        yield 'INSERT' => [
            ["INSERT INTO news (title, category) VALUES ('x', 'net')"],
            ['news', 'news:7', 'news?author', 'news?category=net'],
        ];
        yield 'INSERT with a key' => [
            ["INSERT INTO news VALUES (2, 'net', 'Bob', 'x')"],
            ['news', 'news:2', 'news?author=bob', 'news?category=net'],
        ];
        yield 'INSERT of defaults' => [
            ['INSERT INTO news DEFAULT VALUES'],
            ['news', 'news:7', 'news?author', 'news?category'],
        ];
        yield 'INSERT of several rows' => [
            ["INSERT INTO news (category, title) VALUES ('a', 'x'), ('b', 'y')"],
            ['news', 'news:7', 'news:8', 'news?author', 'news?category=a', 'news?category=b'],
        ];
        yield 'INSERT of several rows into an empty table' => [
            ["INSERT INTO comment (news_id) VALUES (4), ('5')"],
            ['comment', 'comment:1', 'comment:2', 'comment?news_id=4', 'comment?news_id=5'],
        ];
        yield 'INSERT of several rows, one below the others' => [
            ["INSERT INTO news (id, title) VALUES (9, 'x'), (1, 'y')"],
            ['news!'],
        ];
        yield 'INSERT OR IGNORE that ignores' => [["INSERT OR IGNORE INTO news VALUES (4, 'a', 'b', 'c')"], []];
        yield 'REPLACE by another unique key, and by both' => [
            ["REPLACE INTO news (id, title, category) VALUES (9, 'four', 'a')"],
            [...self::FOUR, 'news:9', 'news?author', 'news?category=a'],
        ];
        yield 'INSERT OR REPLACE of two rows' => [
            ["INSERT OR REPLACE INTO news (id, title) VALUES ('4', lower('FIVE'))"],
            [...self::FOUR, ...self::FIVE, 'news?author', 'news?category'],
        ];
        yield 'REPLACE of nothing' => [
            ["REPLACE INTO news (title) VALUES (NULL)"],
            ['news', 'news:7', 'news?author', 'news?category'],
        ];
        yield 'an upsert that updates' => [
            ["INSERT INTO news (id, title) VALUES (4, 'x') ON CONFLICT (id) DO UPDATE SET category = excluded.title"],
            [...self::FOUR, 'news?category=x'],
        ];
        yield 'an upsert that updates behind an INSERT' => [
            [
                "INSERT INTO comment VALUES (5, 4, 'x')",
                "INSERT INTO news (id, title) VALUES (4, 'x') ON CONFLICT (id) DO UPDATE SET category = 'x'",
            ],
            ['comment', 'comment:5', 'comment?news_id=4', ...self::FOUR, 'news?category=x'],
        ];
        yield 'an upsert that inserts' => [
            ["INSERT INTO news (title) VALUES ('x') ON CONFLICT DO UPDATE SET title = 'y' WHERE author = 'Bob'"],
            ['news', 'news:7', 'news?author', 'news?category'],
        ];
        yield 'an upsert by the collation of the index' => [
            ["INSERT INTO news (title) VALUES ('FOUR') ON CONFLICT DO UPDATE SET category = 'x'"],
            [...self::FOUR, 'news?category=x'],
            'CREATE UNIQUE INDEX spelt ON news (title COLLATE NOCASE)',
        ];
        yield 'ON CONFLICT DO NOTHING' => [
            ["INSERT INTO comment VALUES (4, 4, 'x'), (5, 5, 'y') ON CONFLICT (id) DO NOTHING"],
            ['comment', 'comment:4', 'comment:5', 'comment?news_id=4', 'comment?news_id=5'],
        ];
        yield 'INSERT behind one that was ignored' => [
            ["INSERT INTO comment VALUES (4, 4, 'x')", "INSERT OR IGNORE INTO news VALUES (4, 'a', 'b', 'c')"],
            ['comment', 'comment:4', 'comment?news_id=4'],
        ];
        yield 'two tables in a transaction' => [
            ["INSERT INTO comment VALUES (4, 4, 'x')", "UPDATE news SET title = 'x' WHERE id = 4"],
            ['comment', 'comment:4', 'comment?news_id=4', ...self::FOUR],
        ];
        yield 'a table that nobody declares' => [["INSERT INTO other VALUES ('x')"], ['other!']];
        yield 'ROLLBACK TO keeps names' => [
            ['SAVEPOINT a', "UPDATE news SET title = 'x' WHERE id = 4", 'ROLLBACK TO a'],
            self::FOUR,
        ];
        yield 'a rowid has the key as another name' => [["UPDATE news SET title = 'x' WHERE rowid = 4"], self::FOUR];
        $four = ['comment', 'comment:1', 'comment:2', 'comment?news_id=4', ...self::FOUR];
        yield 'ON DELETE CASCADE' => [['DELETE FROM news WHERE id < 5'], $four, self::CHILD . self::ENFORCED];
        yield 'ON DELETE SET NULL' => [
            ['DELETE FROM news WHERE id = 4'],
            [...$four, 'comment?news_id'],
            str_replace('CASCADE', 'SET NULL', self::CHILD) . self::ENFORCED,
        ];
        yield 'ON DELETE CASCADE of what nothing refers to' => [
            ['DELETE FROM news WHERE id = 6'],
            ['news', 'news:6', 'news?author=bob', 'news?category'],
            self::CHILD . self::ENFORCED,
        ];
        yield 'ON DELETE CASCADE to a column of another type' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', ...self::FOUR],
            str_replace(['news_id INTEGER', '(1, 4'], ['news_id TEXT', "(1, '04'"], self::CHILD)
                . '; DELETE FROM comment WHERE id = 2' . self::ENFORCED,
        ];
        yield 'a foreign key that nothing enforces' => [['DELETE FROM news WHERE id = 4'], self::FOUR, self::CHILD];
        yield 'an index ON CONFLICT REPLACE does not matter to DELETE' => [
            ['DELETE FROM comment WHERE id = 1'],
            ['comment', 'comment:1', 'comment?news_id=4'],
            "DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, text TEXT UNIQUE ON"
                . " CONFLICT REPLACE); INSERT INTO comment VALUES (1, 4, 'first')",
        ];
    }

    /** @return iterable<string, array{list<string>, list<string>, 2?: string}> what only a bulk change is certain of */
    public static function bulk(): iterable
    {
        foreach ([
            'the key assigned' => "UPDATE news SET id = 9, title = 'x' WHERE id = 4",
            'the rowid assigned' => 'UPDATE news SET rowid = 9 WHERE id = 4',
            'a second table' => "UPDATE news SET title = 'x' FROM comment WHERE news.id = 4",
            'another name of the table' => "UPDATE news AS n SET title = 'x' WHERE n.id = 4",
            'a table that the text names as a string' => "UPDATE 'news' SET title = 'x' WHERE id = 4",
            'chance' => "UPDATE news SET category = 'x' WHERE abs(random()) >= 0",
            'the clock' => "UPDATE news SET category = 'x' WHERE strftime('%s', 'now') > 4",
            'another clock' => "UPDATE news SET category = 'x' WHERE CURRENT_TIME > ''",
            'a subquery' => "UPDATE news SET category = 'x' WHERE id IN (SELECT 4)",
            'a table behind IN' => 'DELETE FROM news WHERE id IN four',
            'EXISTS' => 'DELETE FROM news WHERE EXISTS (SELECT 1 FROM comment)',
            'a common table' => 'WITH a AS (SELECT 4 AS n) DELETE FROM news WHERE id = 4',
            'INSERT ... SELECT' => "INSERT INTO news (title) SELECT 'x'",
            'REPLACE without a list of columns' => "REPLACE INTO news VALUES (9, 'a', 'b', 'four')",
            'REPLACE of several rows' => "REPLACE INTO news (id, title) VALUES (9, 'four'), (10, 'x')",
            'a value in quotes, which may be a column' => 'REPLACE INTO news (id, title) VALUES (9, "title")',
            'a value that changes by itself' => "REPLACE INTO news (id, title) VALUES (abs(random()) % 3 + 4, 'x')",
            'an upsert of the key' => "INSERT INTO news (id, title) VALUES (4, 'x') ON CONFLICT (id) DO UPDATE"
                . ' SET id = 9',
            'INSERT OR REPLACE' => "INSERT OR REPLACE INTO news VALUES (9, 'a', 'b', 'four')",
            'UPDATE OR REPLACE' => "UPDATE OR REPLACE news SET title = 'four' WHERE id = 5",
            'an upsert' => "INSERT INTO news VALUES (4, 'a', 'b', 'c') ON CONFLICT DO UPDATE SET title = 'x'",
            'UPDATE OR IGNORE that leaves a row' => "UPDATE OR IGNORE news SET title = 'five' WHERE id < 6",
            'a text in a column of numbers' => "UPDATE comment SET news_id = 'many' WHERE id = 1",
        ] as $what => $sql) {
            $table = str_contains($sql, 'UPDATE comment') ? 'comment!' : 'news!';
            yield $what => [[$sql], [$table], "INSERT INTO comment VALUES (1, 4, 'first')"];
        }
        yield 'an upsert with two clauses' => [
            [
                "INSERT INTO news (title) VALUES ('x')",
                "INSERT INTO news (id, title) VALUES (8, 'five') ON CONFLICT (id) DO UPDATE SET author = 'x'"
                    . ' ON CONFLICT DO UPDATE SET id = 9',
            ],
            ['news!'],
        ];
        yield 'an upsert where an expression is unique' => [
            ["INSERT INTO news (title) VALUES ('FOUR') ON CONFLICT DO UPDATE SET category = 'x'"],
            ['news!'],
            'CREATE UNIQUE INDEX spelt ON news (lower(title))',
        ];
        yield 'an upsert where a default is in the way' => [
            ["INSERT INTO comment (text) VALUES ('x') ON CONFLICT DO UPDATE SET text = 'y'"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER UNIQUE DEFAULT 4, text);'
                . ' INSERT INTO comment VALUES (1, 4, 1), (2, 5, 2)',
        ];
        yield 'a function of the application' => [
            ["UPDATE news SET category = 'x' WHERE mine(id)"],
            ['news!'],
        ];
        yield 'a function of the application in a value' => [
            ['UPDATE news SET category = mine(category) WHERE id = 4'],
            ['news!'],
        ];
        yield 'more rows than names' => [
            ['UPDATE comment SET text = 1 WHERE id > 0'],
            ['comment!'],
            'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 257)'
                . ' INSERT INTO comment SELECT i, 4, i FROM n',
        ];
        yield 'more names in many statements' => [
            ["UPDATE news SET title = 'x' WHERE id = 4", ...array_map(
                static fn(int $id): string => "INSERT INTO comment VALUES ($id, $id, 'x')",
                range(1, 130),
            )],
            ['comment!', ...self::FOUR],
        ];
        yield 'a constraint that replaces' => [
            ["INSERT INTO comment VALUES (2, 4, 'first')"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, text TEXT UNIQUE ON'
                . " CONFLICT REPLACE); INSERT INTO comment VALUES (1, 5, 'first')",
        ];
        yield 'a trigger on the table itself, which moves the row' => [
            ["UPDATE news SET title = 'x' WHERE id = 4"],
            ['news!'],
            'CREATE TRIGGER moves BEFORE UPDATE ON news BEGIN UPDATE news SET id = 9 WHERE id = OLD.id; END',
        ];
        yield 'a trigger that changes more of the table' => [
            ["UPDATE news SET title = 'x' WHERE id = 4"],
            ['news!'],
            'CREATE TRIGGER tells AFTER UPDATE OF title ON news BEGIN UPDATE news SET category = 1 WHERE id = 5; END',
        ];
        yield 'another table by a trigger' => [
            ["UPDATE news SET title = 'x' WHERE id = 4"],
            ['comment!', ...self::FOUR],
            'CREATE TRIGGER tells AFTER UPDATE ON news BEGIN DELETE FROM comment; END',
        ];
        yield 'a table that was dropped' => [['DROP TABLE comment'], ['comment!']];
        yield 'a table without rowids' => [
            ["INSERT INTO comment VALUES (1, 4, 'x')"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, text TEXT)'
                . ' WITHOUT ROWID',
        ];
        yield 'a column that is called rowid' => [
            ["INSERT INTO comment (id, rowid) VALUES (1, 2)"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER, rowid INTEGER);'
                . ' INSERT INTO comment VALUES (2, 5, 1)',
        ];
        yield 'a key that stays behind' => [
            ["UPDATE comment SET text = 'x' WHERE id IS NULL"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INT PRIMARY KEY, news_id INTEGER, text TEXT);'
                . " INSERT INTO comment VALUES (NULL, 4, 'first')",
        ];
        yield 'a cascade that goes on' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', 'reply!', ...self::FOUR],
            self::CHILD . '; CREATE TABLE reply (comment_id REFERENCES comment (id) ON DELETE CASCADE)'
                . self::ENFORCED,
        ];
        yield 'a cascade beside a trigger' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', ...self::FOUR],
            self::CHILD . '; CREATE TRIGGER cleans AFTER DELETE ON news BEGIN DELETE FROM comment; END'
                . self::ENFORCED,
        ];
        yield 'a trigger behind a cascade into the same table' => [
            ['DELETE FROM news WHERE id = 4', "UPDATE news SET title = 'x' WHERE id = 5"],
            ['comment!', ...self::FOUR, ...self::FIVE],
            self::CHILD . '; CREATE TRIGGER cleans AFTER UPDATE ON news BEGIN DELETE FROM comment; END'
                . self::ENFORCED,
        ];
        yield 'a foreign key to its own table' => [
            ['DELETE FROM comment WHERE id = 1'],
            ['comment!'],
            str_replace('news (id)', 'comment (id)', self::CHILD) . '; UPDATE comment SET news_id = 1 WHERE id > 1'
                . self::ENFORCED,
        ];
        yield 'a foreign key of two columns' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', ...self::FOUR],
            'DROP TABLE comment; CREATE UNIQUE INDEX pair ON news (id, category); CREATE TABLE comment (id INTEGER'
                . ' PRIMARY KEY, news_id INTEGER, category TEXT, FOREIGN KEY (news_id, category) REFERENCES news'
                . " (id, category) ON DELETE CASCADE); INSERT INTO comment VALUES (1, 4, 'net')" . self::ENFORCED,
        ];
        yield 'SET NULL where a constraint replaces' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', ...self::FOUR],
            str_replace(
                ['CASCADE', 'more', 'text TEXT)'],
                ['SET DEFAULT', 'first', 'text TEXT, UNIQUE (news_id, text) ON CONFLICT REPLACE)'],
                self::CHILD,
            ) . self::ENFORCED,
        ];
        yield 'more rows by a cascade than names' => [
            ['DELETE FROM news WHERE id = 4'],
            ['comment!', ...self::FOUR],
            self::CHILD . '; WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 300)'
                . ' INSERT INTO comment SELECT i, 4, i FROM n' . self::ENFORCED,
        ];
        yield 'a BLOB as key, which is not the number' => [
            ["UPDATE comment SET news_id = 6 WHERE typeof(id) = 'blob'"],
            ['comment!'],
            'DROP TABLE comment; CREATE TABLE comment (id INT PRIMARY KEY, news_id INTEGER, text TEXT);'
                . " INSERT INTO comment VALUES (x'34', 5, 'b'), (4, 4, 'i')",
        ];
        yield 'a cascade from a BLOB' => [
            ["DELETE FROM news WHERE title = 'b'"],
            ['comment!', 'news!'],
            'DROP TABLE news; CREATE TABLE news (id INT PRIMARY KEY, category TEXT, author TEXT, title TEXT);'
                . " INSERT INTO news VALUES (x'34', 'a', 'b', 'b'), (4, 'a', 'b', 'i');"
                . str_replace("(1, 4", "(1, x'34'", self::CHILD) . self::ENFORCED,
        ];
        yield 'a column that is not there' => [
            ["UPDATE news SET title = 'x' WHERE id = 4"],
            ['news!'],
            'ALTER TABLE news DROP COLUMN category',
        ];
        yield 'a table that is a view' => [
            ['DELETE FROM comment WHERE id = 1 RETURNING id'],
            ['comment!', 'old!'],
            "ALTER TABLE comment RENAME TO old; INSERT INTO old VALUES (1, 4, 'x'); CREATE VIEW comment AS SELECT *"
                . ' FROM old; CREATE TRIGGER takes INSTEAD OF DELETE ON comment BEGIN DELETE FROM old; END',
        ];
    }

    /**
     * @param list<string> $statements
     * @param list<string> $names
     */
    #[DataProvider('writes')]
    #[DataProvider('bulk')]
    public function testWhatStatementsAnnounce(array $statements, array $names, string $schema = 'SELECT 1'): void
    {
        $database = $this->database();
        $database->exec($schema);
        $this->announced = [];
        $database->beginTransaction();
        array_map($database->exec(...), $statements);
        self::assertSame([], $this->announced);
        $database->commit();
        self::assertSame(self::sorted($names), $this->announced);
    }

    public function testParametersOfTheConditionAreThoseThatTheDatabaseGets(): void
    {
        $database = $this->database();
        $id = 5;
        $five = static function (string $sql, array $parameters) use ($database): void {
            $database->prepare($sql)->execute($parameters);
        };
        $by = $database->prepare('UPDATE news SET title = ? WHERE id = ? AND category = ?');
        $by->bindValue(3, 'web');
        $by->bindParam(2, $id, PDO::PARAM_INT);
        $by->bindValue(1, 4);
        foreach ([
            'behind those of SET' => static fn() => $five('UPDATE news SET title = ? WHERE id = ?', [4, 5]),
            'one name twice' => static fn() => $five(
                'UPDATE news SET title = :a || :id WHERE id = :id AND :id > :b',
                ['a' => 4, 'id' => 5, ':b' => 4],
            ),
            'by numbers' => static fn() => $five('UPDATE news SET title = ?2 WHERE id = ?1 OR 4 = ?', [5, 4, 3]),
            'a name by its number' => static fn() => $five('UPDATE news SET title = $a WHERE id = $b', [4, 5]),
            'bound one by one' => static fn() => $by->execute(),
        ] as $how => $write) {
            $this->announced = [];
            $write();
            self::assertSame(self::sorted(self::FIVE), $this->announced, $how);
        }
        $id = 4;
        $this->announced = [];
        $by->execute();
        self::assertSame([], $this->announced, 'The variable has another value now.');
    }

    public function testAValueThatIsNotCertainIsBulk(): void
    {
        $database = $this->database();
        $partly = $database->prepare('UPDATE news SET category = ? WHERE id = ?');
        $partly->bindValue(2, 4);
        $partly->bindValue(1, 'x');
        $partly->execute();
        $large = $database->prepare('UPDATE news SET title = title WHERE id < ?');
        $large->bindValue(1, '4', PDO::PARAM_LOB);
        $twice = $database->prepare('UPDATE news SET title = title WHERE id = :id');
        $twice->bindValue(1, 5);
        $twice->bindValue('id', 4);
        foreach ([
            'forgotten by PDO, not by SQLite' => static fn() => $partly->execute(['y']),
            'as BLOB' => static fn() => $large->execute(),
            'bound by position and by name' => static fn() => $twice->execute(),
            'not bound' => static fn() => $database->prepare('DELETE FROM news WHERE id IS NOT ?')->execute(),
        ] as $how => $write) {
            $this->announced = [];
            $write();
            self::assertSame(['news!'], $this->announced, $how);
        }
        $this->announced = [];
        $database->exec("INSERT INTO comment VALUES (1, 4, 'a'), (2, 5, 'b')");
        $spelt = $database->prepare('DELETE FROM comment WHERE id = :A AND :a = \'2\'');
        $this->announced = [];
        $spelt->execute([':A' => 1, ':a' => 2]);
        self::assertSame(['comment!'], $this->announced, 'SQLite tells the two apart.');
    }

    public function testWithReturningRowsAreReadAfterTheTriggers(): void
    {
        $database = $this->database();
        $database->exec('CREATE TRIGGER files AFTER INSERT ON comment BEGIN DELETE FROM other; END');
        $database->beginTransaction();
        $id = $database->query("INSERT INTO comment (news_id) VALUES (4) RETURNING id")->fetchColumn();
        $database->query("UPDATE news SET category = 'mail' WHERE id = 4 RETURNING title")->fetchAll();
        $database->query('DELETE FROM news WHERE id = 5 RETURNING *');
        $database->query("INSERT INTO news (title) VALUES ('x'), ('y') RETURNING id")->fetchAll();
        $database->exec("DELETE FROM news WHERE title IN ('x', 'y')");
        $this->announced = [];
        $database->exec("INSERT INTO comment (news_id) VALUES (5)");
        $database->commit();
        self::assertSame(1, $id);
        self::assertSame(
            ['comment', 'comment:1', 'comment:2', 'comment?news_id=4', 'comment?news_id=5', 'news!', 'other!'],
            $this->announced,
        );
    }

    public function testAPreparedStatementFollowsTheSchemaThatItRunsWith(): void
    {
        $database = $this->database();
        $update = $database->prepare("UPDATE news SET author = 'Eve' WHERE id = 4");
        $update->execute();
        self::assertSame([...self::sorted([...self::FOUR, 'news?author=eve'])], $this->announced);
        $database->beginTransaction();
        $database->exec('ALTER TABLE comment RENAME TO remark');
        $database->exec('DROP TABLE remark');
        $database->exec(self::COMMENT);
        $database->exec('CREATE TRIGGER counts AFTER UPDATE ON news BEGIN DELETE FROM comment; END');
        $update->execute();
        $database->commit();
        self::assertSame(
            self::sorted(['comment!', 'remark!', 'news', 'news:4', 'news?author=eve', 'news?category=net']),
            $this->announced,
        );
    }

    public function testASchemaThatTheTransactionChangedIsReadAnew(): void
    {
        $database = $this->database();
        $database->exec(self::CHILD . '; PRAGMA foreign_keys = ON; BEGIN');
        $database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $database->exec('ALTER TABLE news RENAME TO article');
        $database->tracker()->writes()->clear();
        $database->exec('DELETE FROM article');
        $database->exec('COMMIT');
        self::assertSame(self::sorted([
            'article', 'article:4', 'article:5', 'article:6',
            'comment', 'comment:1', 'comment:2', 'comment:3', 'comment?news_id=4', 'comment?news_id=5',
        ]), $this->announced);
    }

    public function testAStatementThatFailsLeavesWhatItsDatabaseLeaves(): void
    {
        $fails = static function (RecordingPdo $database, string $sql): void {
            try {
                $database->exec($sql);
                self::fail('It worked.');
            } catch (PDOException) {
                // As it should.
            }
        };
        $database = $this->database();
        $two = "INTO news VALUES (9, 'a', 'b', 'c'), (4, 'a', 'b', 'd')";
        foreach ([
            'INSERT' => ["INSERT $two", 'SELECT 1', []],
            'INSERT OR FAIL' => ["INSERT OR FAIL $two", 'SELECT 1', ['news!']],
            'INSERT OR IGNORE of what is no number' => [
                "INSERT OR IGNORE INTO news VALUES (10, 'a', 'b', 'c'), (1.5, 'a', 'b', 'd')", 'SELECT 1', ['news!'],
            ],
            'a trigger that fails' => [
                "UPDATE news SET title = title || 'x'",
                "CREATE TRIGGER stops BEFORE UPDATE ON news WHEN OLD.id = 6 BEGIN SELECT RAISE(FAIL, 'no'); END",
                ['news!'],
            ],
            'a trigger that writes and fails' => [
                "DELETE FROM news WHERE id = 5",
                "CREATE TRIGGER cleans BEFORE DELETE ON news BEGIN DELETE FROM comment; SELECT RAISE(FAIL, 'no'); END;"
                    . ' INSERT INTO comment VALUES (1, 4, 4)',
                ['comment!', 'news!'],
            ],
        ] as $what => [$sql, $schema, $names]) {
            $database->exec($schema);
            $this->announced = [];
            $database->beginTransaction();
            $fails($database, $sql);
            $database->commit();
            self::assertSame($names, $this->announced, $what);
        }
        $fails($database, "INSERT OR FAIL INTO news VALUES (11, 'a', 'b', 'c'), ('x', 'a', 'b', 'd')");
        self::assertSame([], $database->select('SELECT id FROM news WHERE id = 11'), 'as without Larder');
        $fails($database, "INSERT OR ROLLBACK $two");
        self::assertFalse($database->inTransaction());
    }

    public function testATransactionThatBeganByHandOnlyWaitsWhereItWaitsWithoutLarder(): void
    {
        $directory = new TemporaryDirectory();
        $path = $directory->path . '/site.sqlite';
        $database = $this->database($path);
        $other = new PDO('sqlite:' . $path);
        $database->exec('PRAGMA journal_mode = WAL');
        $other->exec('PRAGMA busy_timeout = 0');
        $database->prepare("UPDATE news SET title = 'a' WHERE id = 4")->execute();
        $tries = 0;
        $database->sqliteCreateFunction('upper', static function (?string $text) use ($other, &$tries): string {
            // Runs within the statement, so the tracker has read before.
            try {
                ++$tries;
                $other->exec("UPDATE news SET category = 'other' WHERE id = 5");
            } catch (PDOException) {
                return (string) $text;
            }
            self::fail('The rows were read without the lock.');
        });
        $database->exec('BEGIN');
        $database->exec("UPDATE news SET category = 'mail' WHERE upper(title) = 'a'");
        $database->exec('COMMIT');
        self::assertGreaterThan(1, $tries);
        self::assertSame(self::sorted([...self::FOUR, 'news?category=mail']), $this->announced);
        $directory->remove();
    }

    public function testTheTrackerAddsFewStatements(): void
    {
        $database = $this->database(class: CountingPdo::class);
        $database->exec("UPDATE news SET title = 'warm' WHERE id = 4");
        self::assertInstanceOf(CountingPdo::class, $database);
        $update = $database->prepare("UPDATE news SET title = title || 'x' WHERE id = ?");
        $database->ran = [];
        $this->announced = [];
        $update->execute([4]);
        self::assertSame(self::sorted(self::FOUR), $this->announced);
        $read = 'SELECT typeof("news"."id") IN (\'integer\', \'text\'), "news"."id", "news"."category", "news"."author"'
            . ' FROM "news" WHERE ';
        self::assertSame([
            'BEGIN IMMEDIATE',
            $read . '( id = ?1) LIMIT 257',
            'PRAGMA schema_version',
            $read . '"news"."id" IN (?) LIMIT 257',
        ], $database->ran);
    }

    public function testWhatCannotBeFollowedIsLoggedOnceWithItsCause(): void
    {
        $log = new TestLog();
        $database = $this->database(log: $log);
        for ($time = 0; $time < 2; ++$time) {
            $database->exec("UPDATE news SET title = 'x' WHERE id = (SELECT 4)");
            $database->exec("UPDATE news SET id = 4 WHERE id = 4");
            $database->exec("UPDATE news SET title = 'y' WHERE id = 4");
            $database->exec('DROP TABLE IF EXISTS comment');
        }
        self::assertCount(2, $log->lines());
        self::assertStringContainsString('made from news was dropped', $log->lines()[0]);
        self::assertStringContainsString('does not say plainly which rows', $log->lines()[0]);
        self::assertStringContainsString('assigns its key', $log->lines()[1]);
    }

    /** @param class-string<RecordingPdo> $class */
    private function database(
        string $path = ':memory:',
        string $class = RecordingPdo::class,
        TestLog $log = new TestLog(),
    ): RecordingPdo {
        $database = new $class('sqlite:' . $path, new Registry(
            new Table(
                'news',
                'id',
                ['id' => ColumnType::Integer, 'category' => ColumnType::Text, 'author' => ColumnType::TextNoCase],
                [['category'], ['author']],
            ),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
        ), logger: $log);
        $database->sqliteCreateFunction('mine', static fn(mixed $value): mixed => $value);
        $database->exec(self::NEWS);
        $database->exec(self::COMMENT);
        $database->exec('CREATE TABLE other (a); CREATE TABLE four (n); INSERT INTO four VALUES (4)');
        $database->exec('CREATE TABLE larder_ledger (one)');
        NotingAnnouncer::at($database, function (array $names): void {
            $this->announced = self::sorted(array_map(strval(...), $names));
        });

        return $database;
    }

    /**
     * @param list<string> $names
     *
     * @return list<string>
     */
    private static function sorted(array $names): array
    {
        $names = array_values(array_unique($names));
        sort($names);

        return $names;
    }
}
