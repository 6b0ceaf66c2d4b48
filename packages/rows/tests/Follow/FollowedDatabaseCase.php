<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Closure;
use Larder\Follow\Followed;
use Larder\Follow\Follower;
use Larder\Follow\Settings;
use Larder\Metrics\MemoryCounters;
use Larder\Row\Rows;
use Larder\Row\Table;
use Larder\Sql\Ledger\NoPages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\TestLog;
use PDO;
use PHPUnit\Framework\TestCase;

/** A real database with a log, tables in it, and a follower that works when it is told. */
abstract class FollowedDatabaseCase extends TestCase
{
    private const MOST_FAILURES = 8;

    protected static Database $database;

    protected static TemporaryDirectory $directory;

    private static int $tests = 0;

    protected Store $store;

    protected PDO $plain;

    protected MemoryCounters $counters;

    protected string $state;

    /** Reads MariaDB's log. */
    protected string $program = 'mariadb-binlog';

    /** Hears what the ledger makes known, as an edge in front of the pages does. */
    protected ?Closure $announced = null;

    abstract protected static function kind(): DatabaseKind;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$database = Database::start(static::kind(), self::$directory->path . '/database', true);
    }

    public static function tearDownAfterClass(): void
    {
        self::$database->stop();
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        $this->store = new ArrayStore();
        $this->counters = new MemoryCounters();
        $this->state = self::$directory->path . '/state-' . ++self::$tests;
        $this->plain = self::$database->connect();
        mkdir($this->state);
        foreach ($this->tables() as $statement) {
            $this->plain->exec($statement);
        }
        $this->ledger()->deploy();
    }

    /** Where a test failed within a transaction, its locks would keep the next one waiting. */
    protected function tearDown(): void
    {
        unset($this->plain);
    }

    protected function lose(): void
    {
        unlink($this->state . '/position.json');
    }

    /** Until everything is done that was committed before. */
    protected function follow(string $name = 'test'): void
    {
        $beats = 0;
        $this->followBy(static function (string $step, Follower $follower) use (&$beats): void {
            // The second one of this process was sent when all before was there.
            if ($step === 'beat' && ++$beats === 2) {
                $follower->stop();
            }
        }, $name);
    }

    /**
     * Until the step stops it. Where the log cannot be read, a follower begins anew for ever: here only some times.
     *
     * @param Closure(string, Follower): void $step
     */
    protected function followBy(Closure $step, string $name = 'test'): void
    {
        /** @var Follower|null $follower */
        $follower = null;
        $failures = 0;
        $log = new TestLog(static function (string $level) use (&$follower, &$failures): void {
            if ($level === 'error' && ++$failures === self::MOST_FAILURES) {
                $follower?->stop();
            }
        });
        $follower = new Follower($this->followed($name, $log), static function (string $next) use (
            $step,
            &$follower,
        ): void {
            if ($follower !== null) {
                $step($next, $follower);
            }
        });
        $follower->run();
        self::assertLessThan(self::MOST_FAILURES, $failures, implode("\n", $log->lines()));
    }

    /** @param string $name of the follower; one that is not `test` has a directory of its own */
    protected function followed(string $name = 'test', TestLog $log = new TestLog()): Followed
    {
        $state = $name === 'test' ? $this->state : "$this->state/$name";
        @mkdir($state);

        return new Followed(
            $this->ledger(...),
            $state,
            rows: [$this->store],
            name: $name,
            log: self::$database->access($this->state),
            // No test waits for a sign of life to end.
            settings: new Settings(3600.0, 0.02, $this->program, $this->counters, $log),
        );
    }

    protected function everything(): int
    {
        return (int) ($this->counters->all()['larder_follow_everything_total'] ?? 0);
    }

    protected function rows(): Rows
    {
        return new Rows($this->ledger(), $this->store);
    }

    protected function news(): Table
    {
        return $this->rows()->table('news');
    }

    protected static function title(Table $table, int $key): mixed
    {
        return $table->find($key)['title'] ?? null;
    }

    protected function open(): RecordingPdo
    {
        return new RecordingPdo(self::$database->dsn, user: self::$database->user, password: self::$database->password);
    }

    protected function ledger(): SqlLedger
    {
        $connection = $this->open();

        return (new SqlLedger(
            $connection,
            new NoPages($connection->tracker()->database),
            NoPages::RELEASE,
            announced: $this->announced,
        ))->follow();
    }

    /** @param string $name that is given by hand, or `#everything` */
    protected function stamp(string $name): int
    {
        $ledger = $this->ledger();
        $slot = $name === '#everything'
            ? Dialect::EVERYTHING
            : $ledger->connection()->registry()->of($name)->slot($ledger->slots());

        return $ledger->present([$slot])['versions'][$slot];
    }

    /** @return list<string> */
    private function tables(): array
    {
        return static::kind() === DatabaseKind::MariaDb ? [
            'DROP TABLE IF EXISTS news, other, child, parent',
            'CREATE TABLE news (id INT PRIMARY KEY, slug VARCHAR(40) COLLATE utf8mb4_bin UNIQUE, category INT,'
                . ' title VARCHAR(200)) ENGINE=InnoDB',
            "INSERT INTO news VALUES (4, 'four', 5, 'Four'), (5, 'five', 5, 'Five'), (6, 'six', 7, 'Six')",
            'CREATE TABLE other (id INT PRIMARY KEY) ENGINE=InnoDB',
            'CREATE TABLE parent (id INT PRIMARY KEY) ENGINE=InnoDB',
            'CREATE TABLE child (id INT PRIMARY KEY, parent INT, FOREIGN KEY (parent) REFERENCES parent (id)'
                . ' ON DELETE CASCADE) ENGINE=InnoDB',
            'INSERT INTO parent VALUES (1), (2)',
            'INSERT INTO child VALUES (1, 1), (2, 2)',
        ] : [
            'DROP TABLE IF EXISTS news, other, child, parent',
            'CREATE TABLE news (id INT PRIMARY KEY, slug VARCHAR(40) UNIQUE, category INT, title VARCHAR(200))',
            'ALTER TABLE news REPLICA IDENTITY FULL',
            "INSERT INTO news VALUES (4, 'four', 5, 'Four'), (5, 'five', 5, 'Five'), (6, 'six', 7, 'Six')",
            'CREATE TABLE other (id INT PRIMARY KEY)',
            'CREATE TABLE parent (id INT PRIMARY KEY)',
            'CREATE TABLE child (id INT PRIMARY KEY, parent INT REFERENCES parent (id) ON DELETE CASCADE)',
            'INSERT INTO parent VALUES (1), (2)',
            'INSERT INTO child VALUES (1, 1), (2, 2)',
        ];
    }
}
