<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Larder\Exception\UnknownName;
use Larder\Row\Listing;
use Larder\Row\Rows;
use Larder\Row\Table;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\MemcachedStore;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\TestCase;

/** Rows of a database of its own, in a store of its own. */
abstract class RowsCase extends TestCase
{
    protected static Database $database;

    protected ObservedStore $store;

    private static TemporaryDirectory $directory;

    private static ?Memcached $memcached = null;

    private static int $tests = 0;

    abstract protected static function kind(): DatabaseKind;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$database = Database::start(static::kind(), self::$directory->path . '/database');
        self::$memcached = \extension_loaded('larder')
            ? new Memcached(self::$directory->path . '/memcached', socket: true)
            : null;
    }

    public static function tearDownAfterClass(): void
    {
        self::$database->stop();
        self::$memcached?->stop();
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        $this->store = $this->observed();
        $plain = $this->plain();
        foreach ($this->tables() as $statement) {
            $plain->exec($statement);
        }
        $ours = $this->open();
        SqlLedger::forValues($ours)->deploy();
    }

    protected function assertNoOtherNameThanAColumnsReachesAQuery(): void
    {
        $news = $this->news();
        foreach (['nosuch', 'id = 4 OR 1', 'id?', ':id', 'id -- ', '', "id\0", '*', "n\u{fc}l", "\xff"] as $no) {
            foreach ([
                'findAll' => static fn() => $news->findAll($no, 5),
                'findAll of two' => static fn() => $news->findAll(['category' => 5, $no => null]),
                'findBy' => static fn() => $news->findBy([$no => 1]),
                'findManyBy' => static fn() => $news->findManyBy([['slug' => 'four'], [$no => 'x']]),
                'where' => static fn() => (new Listing($news, [$no => 5], ['id' => 'desc']))->rows(),
                'order' => static fn() => (new Listing($news, ['category' => 5], [$no => 'desc']))->rows(),
                'order of all' => static fn() => (new Listing($news, [], [$no => 'asc'], 2))->rows(),
                'long value' => static fn() => $news->findAll([$no => str_repeat('x', 100)]),
            ] as $what => $ask) {
                try {
                    $ask();
                    self::fail("$what by \"$no\"");
                } catch (UnknownName $unknown) {
                    self::assertStringContainsString('There is no column of news', $unknown->getMessage(), $what);
                }
            }
        }
        if (static::kind() !== DatabaseKind::PostgreSql) {
            self::assertSame(['four'], array_column($news->findAll('SLUG', 'four'), 'slug'), 'As SQL compares names.');
        }
    }

    /** @return list<string> */
    protected function tables(): array
    {
        $isServer = static::kind() !== DatabaseKind::Sqlite;
        $text = static::kind() === DatabaseKind::MariaDb ? 'VARCHAR(60) COLLATE utf8mb4_bin' : 'VARCHAR(60)';

        return [
            'DROP TABLE IF EXISTS news',
            'DROP TABLE IF EXISTS old_news',
            "CREATE TABLE news (id INTEGER PRIMARY KEY, slug $text UNIQUE, category INTEGER, author $text,"
                . ' title VARCHAR(200), score DOUBLE PRECISION, published INTEGER NOT NULL DEFAULT 0)'
                . (static::kind() === DatabaseKind::MariaDb ? ' ENGINE=InnoDB' : ''),
            "INSERT INTO news VALUES (4, 'four', 5, 'bob', 'Four', 1.5, 10), (5, 'five', 5, 'eve', NULL, 2, 20),"
                . " (6, 'six', 7, 'bob', 'Six', NULL, 30)",
            ...($isServer ? ['CREATE INDEX news_category ON news (category)'] : []),
        ];
    }

    protected function plain(): PDO
    {
        return self::$database->connect();
    }

    protected function open(): RecordingPdo
    {
        $database = self::$database;

        return new RecordingPdo($database->dsn, user: $database->user, password: $database->password);
    }

    /** Each test has keys of its own. */
    protected function observed(): ObservedStore
    {
        return new ObservedStore(self::$memcached === null
            ? new ArrayStore()
            : MemcachedStore::on(
                'unix:' . self::$memcached->endpoint()->socket,
                'rows-' . ++self::$tests,
                timeout: 5000,
            ));
    }

    protected function socket(): string
    {
        return (string) self::$memcached?->endpoint()->socket;
    }

    protected function rows(?RecordingPdo $connection = null, ?Store $store = null): Rows
    {
        return new Rows(SqlLedger::forValues($connection ?? $this->open()), $store ?? $this->store);
    }

    protected function news(?RecordingPdo $connection = null, ?Store $store = null): Table
    {
        return $this->rows($connection, $store)->table('news');
    }

    /** @return list<array<string, mixed>> as a plain PDO gives it */
    protected function fetched(string $sql): array
    {
        $statement = $this->plain()->query($sql);
        self::assertNotFalse($statement);
        /** @var list<array<string, mixed>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }
}
