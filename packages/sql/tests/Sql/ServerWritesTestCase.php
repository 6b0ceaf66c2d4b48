<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Writes;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NotingAnnouncer;
use Larder\Tests\Support\Sql\Choices;
use Larder\Tests\Support\Sql\Database;
use Larder\Tests\Support\Sql\PdoTwin;
use Larder\Tests\Support\Sql\RandomTable;
use Larder\Tests\Support\Sql\Schema;
use Larder\Tests\Support\Sql\TwinConnections;
use Larder\Tests\Support\Sql\WriteMaker;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** Which names statements announce on a server, where others write at the same time. */
abstract class ServerWritesTestCase extends TestCase
{
    protected const FOUR = ['news', 'news:4', 'news?author=bob', 'news?category=net'];

    protected const FIVE = ['news', 'news:5', 'news?author=eve', 'news?category=web'];

    protected const SIX = ['news', 'news:6', 'news?author=bob', 'news?category'];

    private static ?TemporaryDirectory $directory = null;

    private static ?Endpoint $endpoint = null;

    /** @var Closure(): void */
    private static Closure $stop;

    /** @var list<string> what was announced, sorted: `all` for every table, `gate …` for what ran behind a gate */
    protected array $announced = [];

    /** @var list<string> tables whose changes could not be followed, and why */
    protected array $causes = [];

    /** @return array{Endpoint, Closure(): void} the server, and how it ends */
    abstract protected static function server(string $directory): array;

    abstract protected static function kind(): Database;

    /** @return list<string> */
    abstract protected static function schema(): array;

    abstract protected static function dsn(Endpoint $endpoint, string $database = ''): string;

    /** @return iterable<string, array{list<string>, list<string>, 2?: list<string>}> */
    abstract public static function writes(): iterable;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        [self::$endpoint, self::$stop] = static::server(self::$directory->path . '/server');
        $endpoint = self::endpoint();
        $plain = new PDO(static::dsn($endpoint), $endpoint->extra['user'], $endpoint->extra['password']);
        $plain->exec('CREATE DATABASE twin');
    }

    public static function tearDownAfterClass(): void
    {
        (self::$stop)();
        self::$directory?->remove();
    }

    protected function setUp(): void
    {
        $plain = $this->plain();
        foreach (static::schema() as $statement) {
            $plain->exec($statement);
        }
        $this->announced = $this->causes = [];
    }

    /** @return iterable<string, array{list<string>}> what is done to the schema, of both databases */
    public static function twins(): iterable
    {
        yield 'plain' => [[]];
        $key = 'ALTER TABLE comment ADD FOREIGN KEY (news_id) REFERENCES news (id) ON DELETE ';
        yield 'a cascade' => [['UPDATE comment SET news_id = 4', $key . 'CASCADE']];
        yield 'SET NULL' => [['UPDATE comment SET news_id = 4', $key . 'SET NULL ON UPDATE CASCADE']];
    }

    /**
     * The same generated statements on a plain PDO and on a recording one: they answer and leave the same, and each row
     * that has changed was named, as it was and as it is.
     *
     * Not equal are SHOW WARNINGS and ROW_COUNT() after a statement whose rows are read again, and what PDO's exec()
     * of a statement that returns rows does on MariaDB: it leaves them unread, so every other statement fails.
     *
     * @param list<string> $schema
     */
    #[DataProvider('twins')]
    public function testAnswersNamesAndWhatIsLeft(array $schema): void
    {
        $tables = [];
        foreach (static::schema() as $statement) {
            if (preg_match('/^CREATE TABLE (news|comment) \((.*)\)$/', $statement, $found) === 1) {
                $tables[] = RandomTable::of($found[1], $found[2]);
            }
        }
        self::assertCount(2, $tables);
        foreach ([$this->plain('twin'), $this->plain()] as $one) {
            foreach ([...static::schema(), ...$schema] as $statement) {
                $one->exec($statement);
            }
        }
        $ours = $this->database();
        $plain = new PdoTwin($this->plain('twin'), 'twin');
        $twins = new TwinConnections($plain, new PdoTwin($ours), $ours, ['news', 'comment']);
        $twins->play(new WriteMaker(
            new Choices(crc32(implode('', $schema) . static::class)),
            static::kind()->words(),
            new Schema($tables, [], []),
            changesSchema: false,
        ), 200);
        self::assertGreaterThan(300, $twins->ran);
        self::assertGreaterThan(20, $twins->exact, 'Much of it is followed row by row.');
    }

    /** @return iterable<string, array{list<string>, list<string>}> */
    public static function writesOfBoth(): iterable
    {
        [$four, $five] = [self::FOUR, self::FIVE];
        $one = ['comment', 'comment:1', 'comment?news_id=4'];
        $nine = ['comment', 'comment:9', 'comment?news_id=5'];
        $upsert = static::upsert();
        yield 'UPDATE by key' => [["UPDATE news SET title = 'x' WHERE id = 4"], $four];
        yield 'UPDATE of all rows' => [
            ["UPDATE news SET category = 'all'"],
            [...$four, ...$five, ...self::SIX, 'news?category=all'],
        ];
        yield 'UPDATE that finds nothing' => [["UPDATE news SET title = 'x' WHERE id = 99"], []];
        yield 'DELETE' => [["DELETE FROM news WHERE title = 'four'"], $four];
        yield 'DELETE that finds nothing' => [['DELETE FROM news WHERE id = 99'], []];
        yield 'RETURNING, whose rows exec() does not count' => [
            ['DELETE FROM news WHERE id = 4 RETURNING id'],
            ['news!'],
        ];
        yield 'INSERT with a key' => [
            ["INSERT INTO news (id, category) VALUES (2, 'net')"],
            ['news', 'news:2', 'news?author', 'news?category=net'],
        ];
        yield 'INSERT of several rows with keys' => [
            ['INSERT INTO comment (id, news_id) VALUES (8, 4), (9, 5)'],
            ['comment', 'comment:8', 'comment:9', 'comment?news_id=4', 'comment?news_id=5'],
        ];
        yield 'two tables' => [
            ["UPDATE news SET title = 'x' WHERE id = 4", 'INSERT INTO comment (news_id) VALUES (4)'],
            [...$four, 'comment', 'comment:4', 'comment?news_id=4'],
        ];
        yield 'ROLLBACK TO keeps names' => [
            ['SAVEPOINT a', "UPDATE news SET title = 'x' WHERE id = 4", 'ROLLBACK TO a'],
            $four,
        ];
        yield 'an upsert that inserts' => [[\sprintf($upsert, 9, 5)], $nine];
        yield 'an upsert of a row' => [[\sprintf($upsert, 1, 5)], [...$one, 'comment?news_id=5']];
        yield 'an upsert of a row that was changed before' => [
            ['UPDATE comment SET news_id = 6 WHERE id = 1', \sprintf($upsert, 1, 5)],
            [...$one, 'comment?news_id=6', 'comment?news_id=5'],
        ];
        yield 'an upsert of a row that was inserted before' => [
            ['INSERT INTO comment (id, news_id) VALUES (9, 6)', \sprintf($upsert, 9, 5)],
            [...$nine, 'comment?news_id=6'],
        ];
        yield 'several statements' => [
            ["UPDATE news SET title = 'x' WHERE id = 4; UPDATE news SET title = 'y' WHERE id = 5"],
            [...$four, ...$five],
        ];
    }

    /**
     * @param list<string> $statements
     * @param list<string> $names
     * @param list<string> $schema
     */
    #[DataProvider('writesOfBoth')]
    #[DataProvider('writes')]
    public function testNames(array $statements, array $names, array $schema = []): void
    {
        $plain = $this->plain();
        foreach ($schema as $statement) {
            $plain->exec($statement);
        }
        $database = $this->database();
        $isOne = \count($statements) === 1;
        foreach ($isOne ? $statements : ['BEGIN', ...$statements, 'COMMIT'] as $statement) {
            $database->exec($statement);
        }
        self::assertSame(self::sorted($names), self::sorted($this->announced), implode("\n", $this->causes));
        self::assertFalse($database->inTransaction());
    }

    /** What an upsert finds need not be what its transaction saw. */
    public function testAnUpsertNamesTheRowThatAnotherHasLeft(): void
    {
        $upsert = static::upsert();
        $database = $this->database();
        $database->exec('BEGIN');
        $database->exec('UPDATE other SET a = 1');
        $this->plain()->exec('INSERT INTO comment (id, news_id) VALUES (9, 7)');
        $database->exec(\sprintf($upsert, 9, 5));
        $database->exec('COMMIT');
        self::assertSame(
            ['comment', 'comment:9', 'comment?news_id=5', 'comment?news_id=7'],
            self::sorted($this->announced),
        );
    }

    /** A lock where no row is yet would let both wait for one another. */
    public function testUpsertsOfNewKeysDoNotWait(): void
    {
        [$one, $other] = [$this->database(), $this->database()];
        foreach (['BEGIN', \sprintf(static::upsert(), 20, 5)] as $sql) {
            $one->exec($sql);
        }
        foreach (['BEGIN', \sprintf(static::upsert(), 21, 5)] as $sql) {
            $other->exec($sql);
        }
        $one->exec(\sprintf(static::upsert(), 22, 5));
        $other->exec('COMMIT');
        $one->exec('COMMIT');
        self::assertNotContains('comment!', $this->announced);
    }

    public function testAPreparedStatementFollowsTheSchemaThatItRunsWith(): void
    {
        $database = $this->database();
        $delete = $database->prepare('DELETE FROM news WHERE id = ?');
        $delete->execute([5]);
        self::assertSame(self::FIVE, self::sorted($this->announced));
        $database->exec('UPDATE comment SET news_id = 4');
        $database->exec('ALTER TABLE comment ADD FOREIGN KEY (news_id) REFERENCES news (id) ON DELETE CASCADE');
        $this->announced = [];
        $delete->execute([4]);
        self::assertContains('comment:3', $this->announced);
    }

    /** @return list<string> settings of a session with which a text reads other rows or shows them otherwise */
    abstract protected static function settings(): array;

    public function testNothingIsStoredThatASessionReadsOtherwiseThanOthers(): void
    {
        foreach (static::settings() as $setting) {
            $database = $this->database();
            $refusals = [];
            foreach (['SELECT 1', $setting] as $before) {
                $database->query($before);
                $reads = new RecordedReads($database->registry());
                $read = static fn(): array => $database->query('SELECT id FROM news')->fetchAll();
                $database->tracker()->record($reads, $read);
                $refusals[] = $reads->refusal() !== null;
            }
            self::assertSame([false, true], $refusals, $setting);
        }
    }

    /** What one of them writes is another's business only by what is made known. */
    public function testTwoConnectionsOfOneRequestAreFollowedEachByItself(): void
    {
        [$one, $two] = [$this->database(), $this->database()];
        $one->beginTransaction();
        $two->beginTransaction();
        $one->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $two->exec("UPDATE news SET title = 'y' WHERE id = 5");
        $two->rollBack();
        $one->exec('SAVEPOINT a');
        $one->commit();
        self::assertSame(self::FOUR, self::sorted($this->announced));
        self::assertSame([false, false], [$one->inTransaction(), $two->inTransaction()]);
    }

    /** @return string with a key and a number */
    abstract protected static function upsert(): string;

    protected function plain(string $database = ''): PDO
    {
        $endpoint = self::endpoint();
        $plain = new PDO(static::dsn($endpoint, $database), $endpoint->extra['user'], $endpoint->extra['password']);

        return $plain;
    }

    /**
     * @param array<int, mixed>          $options
     * @param class-string<RecordingPdo> $class
     */
    protected function database(
        array $options = [],
        string $class = RecordingPdo::class,
        ?string $user = null,
    ): RecordingPdo {
        $endpoint = self::endpoint();
        $database = new $class(static::dsn($endpoint), self::registry(), $options, new NullLogger(), ...[
            'user' => $user ?? $endpoint->extra['user'],
            'password' => $endpoint->extra['password'],
        ]);
        NotingAnnouncer::at($database, function (array $names, Writes $writes): void {
            $this->causes = [...$this->causes, ...array_values($writes->causes())];
            $this->announced = [
                ...$this->announced,
                ...array_map(strval(...), $names),
                ...($writes->isAll() ? ['all'] : []),
            ];
        }, function (?array $tables): void {
            $this->announced[] = 'gate ' . implode(' ', $tables ?? ['all']);
        });

        return $database;
    }

    protected static function registry(): Registry
    {
        return new Registry(
            new Table(
                'news',
                'id',
                ['id' => ColumnType::Integer, 'category' => ColumnType::Text, 'author' => ColumnType::TextNoCase],
                [['category'], ['author']],
            ),
            new Table('comment', 'id', ['id' => ColumnType::Integer, 'news_id' => ColumnType::Integer], [['news_id']]),
            new Table('other', 'id', ['id' => ColumnType::Integer]),
        );
    }

    protected static function endpoint(): Endpoint
    {
        return self::$endpoint ?? throw new LogicException('It was started before the first test.');
    }

    /**
     * @param list<string> $names
     *
     * @return list<string>
     */
    protected static function sorted(array $names): array
    {
        $names = array_values(array_unique($names));
        sort($names);

        return $names;
    }
}
