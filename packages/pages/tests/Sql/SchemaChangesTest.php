<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Cache;
use Larder\Page\Response;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Ledger\SqlState;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\OneWriterRunner;
use Larder\Sql\Tracker\Transaction;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\NewsSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Each stored page and value is made under one version of the schema. */
#[CoversClass(SqlLedger::class)]
#[CoversClass(SqlState::class)]
#[CoversClass(OneWriterRunner::class)]
#[CoversClass(Transaction::class)]
final class SchemaChangesTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite(registry: new Registry());
        $this->news->database->exec('CREATE TABLE visit (id INTEGER PRIMARY KEY)');
        $this->news->database->exec('CREATE INDEX visit_at ON visit (id)');
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{string}> */
    public static function changes(): iterable
    {
        yield 'a view' => ['CREATE VIEW latest AS SELECT id FROM news'];
        yield 'a trigger' => ['CREATE TRIGGER t AFTER INSERT ON visit BEGIN DELETE FROM news; END'];
        yield 'an index' => ['CREATE UNIQUE INDEX news_title ON news (title)'];
        yield 'another name' => ['ALTER TABLE visit RENAME TO look'];
        yield 'another name of a column' => ['ALTER TABLE visit RENAME COLUMN id TO number'];
        yield 'another column' => ['ALTER TABLE visit ADD COLUMN at TEXT'];
        yield 'no index any more' => ['DROP INDEX visit_at'];
        yield 'no table any more' => ['DROP TABLE visit'];
        yield 'a transaction' => ['BEGIN; CREATE TABLE other (id INTEGER PRIMARY KEY); COMMIT'];
        yield 'a savepoint' => ['SAVEPOINT a; CREATE TABLE other (id INTEGER PRIMARY KEY); RELEASE a'];
    }

    #[DataProvider('changes')]
    public function testNoPageOutlivesAChangeOfTheSchema(string $sql): void
    {
        $this->news->get('/news/4');
        self::assertTrue($this->news->stores('/news/4'));
        $this->news->connect()->exec($sql);
        self::assertFalse($this->news->stores('/news/4'));

        $this->news->get('/news/4');
        self::assertTrue($this->news->stores('/news/4'));
    }

    #[DataProvider('changes')]
    public function testAPageIsNotStoredIfTheSchemaChangedAfterItsSnapshot(string $sql): void
    {
        foreach ([$this->news->connect(), $this->plain()] as $i => $other) {
            $answer = $this->news->get('/news/4', function () use ($other, $sql, $i): Response {
                $answer = $this->news->item(4);
                $other->exec($i === 0 ? $sql : 'CREATE TABLE last (id INTEGER PRIMARY KEY)');

                return $answer;
            });
            self::assertStringContainsString('changed meanwhile', (string) $answer->header('cache-status'));
            self::assertFalse($this->news->stores('/news/4'));
        }
    }

    public function testWhatAnotherProgramChangedIsSeenByTheNextChangeAndTheNextPage(): void
    {
        foreach ([
            fn() => $this->news->connect()->exec('INSERT INTO visit VALUES (1)'),
            fn() => $this->news->get('/news/5'),
        ] as $i => $do) {
            $this->news->get('/news/4');
            self::assertTrue($this->news->stores('/news/4'));
            $this->plain()->exec("CREATE TABLE other$i (id INTEGER PRIMARY KEY)");
            $do();
            self::assertFalse($this->news->stores('/news/4'));
        }
    }

    public function testAChangeThatIsRolledBackAndATemporaryTableDropNothing(): void
    {
        $this->news->get('/news/4');
        $database = $this->news->connect();
        $database->exec('BEGIN; CREATE TABLE other (id INTEGER PRIMARY KEY); ROLLBACK');
        $database->exec('CREATE TEMP TABLE other (id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1)');
        $database->exec('PRAGMA cache_size = 100; REINDEX');
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testToLookWhetherATableIsThereNeedsNoLock(): void
    {
        $this->news->get('/news/4');
        $database = $this->news->connect();
        $database->exec('PRAGMA busy_timeout = 0');
        $this->news->database->beginTransaction();
        $database->exec('CREATE TABLE IF NOT EXISTS visit (id INTEGER PRIMARY KEY)');
        $this->news->database->rollBack();
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testAValueIsMadeAnewAfterAChangeOfTheSchemaByAnybody(): void
    {
        $database = $this->news->database;
        $cache = new Cache(new ArrayStore(), new LedgerVersions($this->news->ledger(database: $database)));
        $made = 0;
        $compute = static function () use ($database, &$made): mixed {
            $database->query('SELECT title FROM news')->fetchAll();

            return ++$made;
        };
        $value = static fn(): mixed => $cache->remember('titles', $compute);
        self::assertSame([1, 1], [$value(), $value()]);
        $this->plain()->exec('CREATE VIEW latest AS SELECT id FROM news');
        self::assertSame([2, 2], [$value(), $value()]);
        $this->news->connect()->exec('DROP VIEW latest');
        self::assertSame([3, 3], [$value(), $value()]);
        $this->news->connect()->exec('INSERT INTO visit VALUES (1)');
        self::assertSame(3, $value());
        $this->news->connect()->exec('DELETE FROM news');
        self::assertSame(4, $value());
    }

    private function plain(): PDO
    {
        return new PDO('sqlite:' . $this->news->directory->path . '/site.sqlite');
    }
}
