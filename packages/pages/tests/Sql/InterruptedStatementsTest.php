<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Sql\Tracker\Recorder;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Tracker;
use Larder\Store\ArrayStore;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\TestLog;
use LogicException;
use mysqli_result;
use mysqli_sql_exception;
use PDO;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/**
 * A statement that the server interrupts while it waits for a lock: the application shows something else, which nobody
 * else must get. It is stored once the server is well again.
 */
#[CoversClass(Recorder::class)]
#[CoversClass(RecordingMysqli::class)]
#[CoversClass(RecordingPdo::class)]
#[CoversClass(Tracker::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pcntl')]
#[RequiresPhpExtension('pdo_mysql')]
#[RequiresPhpExtension('pdo_pgsql')]
final class InterruptedStatementsTest extends TestCase
{
    private const READ = 'SELECT title FROM news WHERE id = 4';

    /** Microseconds between two looks of an operator, and how often he looks. */
    private const PAUSE = 2_000;
    private const LOOKS = 10_000;

    private static TemporaryDirectory $room;

    /** @var array<string, Database> by kind */
    private static array $databases = [];

    private TemporaryDirectory $directory;

    private Site $site;

    private Database $database;

    private string $api;

    private PDO $other;

    public static function setUpBeforeClass(): void
    {
        self::$room = new TemporaryDirectory();
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Database $database) => $database->stop(), self::$databases);
        self::$databases = [];
        self::$room->remove();
    }

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        $this->directory->remove();
    }

    /** @return iterable<string, array{DatabaseKind, string, string, string}> by what, what interrupts, its SQLSTATE */
    public static function interruptions(): iterable
    {
        foreach (['mysqli', 'mysqli that returns false', 'pdo'] as $api) {
            foreach (['max_statement_time' => '70100', 'KILL QUERY' => '70100', 'KILL' => 'HY000'] as $by => $state) {
                yield "mariadb, $api, $by" => [DatabaseKind::MariaDb, $api, $by, $state];
            }
        }
        foreach ([
            'statement_timeout' => '57014',
            'pg_cancel_backend' => '57014',
            'pg_terminate_backend' => 'HY000',
        ] as $by => $state) {
            yield "postgresql, $by" => [DatabaseKind::PostgreSql, 'pdo', $by, $state];
        }
    }

    #[DataProvider('interruptions')]
    public function testAPageIsNotStored(DatabaseKind $kind, string $api, string $by, string $state): void
    {
        $this->deploy($kind, $api);
        $log = new TestLog();
        $connection = $this->connect();
        $answer = $this->page($connection, $this->interrupted($connection, $by), $log);
        self::assertSame('sorry', $answer->body);
        $reason = "a statement failed (SQLSTATE $state)";
        self::assertSame("larder; fwd=miss; detail=\"$reason\"", $answer->header('cache-status'));
        self::assertSame(
            ['warning: The page /news/4 of ' . NewsController::class . " is not stored: $reason."],
            $log->lines(),
        );
        self::assertFileDoesNotExist($this->site->pages . '/current/news/4~page');
        $connection = $this->connect();
        $answer = $this->page($connection, static fn(): string => self::title($connection), new TestLog());
        self::assertSame(['four', 'larder; fwd=miss; stored'], [$answer->body, $answer->header('cache-status')]);
        self::assertStringEqualsFile($this->site->pages . '/current/news/4~page', 'four');
    }

    #[DataProvider('interruptions')]
    public function testAValueIsNotStored(DatabaseKind $kind, string $api, string $by, string $state): void
    {
        $this->deploy($kind, $api);
        foreach (['strict', 'gated'] as $mode) {
            $log = new TestLog();
            $store = new ArrayStore();
            $cache = fn(RecordingMysqli|RecordingPdo $connection): Cache => $mode === 'strict'
                ? Pages::of($this->site)->cache($store, $connection, log: $log)
                : new Cache($store, new Gates($store, $connection), log: $log);
            $connection = $this->connect();
            $values = $cache($connection);
            self::assertSame('sorry', $values->remember('k', $this->interrupted($connection, $by)));
            self::assertFalse($values->has('k'), $mode);
            self::assertSame(
                ["warning: The value of k was not stored: a statement failed (SQLSTATE $state)."],
                $log->lines(),
            );
            $connection = $this->connect();
            $values = $cache($connection);
            self::assertSame('four', $values->remember('k', static fn(): string => self::title($connection)));
            self::assertTrue($values->has('k'), $mode);
        }
    }

    /** @param Closure(): string $make */
    private function page(RecordingMysqli|RecordingPdo $connection, Closure $make, TestLog $log): Response
    {
        return Pages::of($this->site)->pageCache($connection, $log)->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            static fn(): Response => new Response(
                200,
                ['content-type' => ['text/html; charset=utf-8']],
                $make(),
            ),
        );
    }

    /** @return Closure(): string what an application shows whose statement is interrupted */
    private function interrupted(RecordingMysqli|RecordingPdo $connection, string $by): Closure
    {
        $isMariaDb = $this->database->kind === DatabaseKind::MariaDb;
        $limit = match ($by) {
            'max_statement_time' => 'SET max_statement_time = 0.5',
            'statement_timeout' => 'SET statement_timeout = 500',
            default => null,
        };
        // A render that sets something is not stored for that.
        $which = $isMariaDb ? 'SELECT CONNECTION_ID() AS number' : 'SELECT pg_backend_pid() AS number';
        $number = (int) $connection->own()->rows($which)[0]['number'];
        if ($limit !== null) {
            $connection->own()->send($limit);
        }

        return function () use ($connection, $by, $isMariaDb, $limit, $number): string {
            $this->other->exec($isMariaDb ? 'LOCK TABLES news WRITE' : 'BEGIN; LOCK TABLE news');
            $operator = new WorkerPool(fn(): bool => $this->interrupt($by, $number));
            $operator->fill($limit === null ? 1 : 0);
            try {
                return self::title($connection);
            } catch (PDOException|mysqli_sql_exception) {
                return 'sorry';
            } finally {
                foreach ($operator->end(20.0) as $end) {
                    self::assertTrue($end->result, (string) $end->error);
                }
                $this->other->exec($isMariaDb ? 'UNLOCK TABLES' : 'COMMIT');
            }
        };
    }

    /** What an operator does, in a process of his own: looks until a connection waits for the lock, and ends that. */
    private function interrupt(string $by, int $number): bool
    {
        $database = $this->database->connect();
        $waits = $this->database->kind === DatabaseKind::MariaDb
            ? "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = $number AND STATE LIKE 'Waiting for table%'"
            : "SELECT 1 FROM pg_stat_activity WHERE pid = $number AND wait_event_type = 'Lock'";
        for ($look = 0; $look < self::LOOKS; ++$look, usleep(self::PAUSE)) {
            $found = $database->query($waits);
            if ($found !== false && $found->fetchColumn() !== false) {
                $database->query(str_starts_with($by, 'KILL') ? "$by $number" : "SELECT $by($number)");

                return true;
            }
        }

        return false;
    }

    private static function title(RecordingMysqli|RecordingPdo $connection): string
    {
        $result = $connection->query(self::READ);
        $title = match (true) {
            $result instanceof mysqli_result => $result->fetch_column(),
            $result instanceof PDOStatement => $result->fetchColumn(),
            default => 'sorry',
        };

        return \is_string($title) ? $title : throw new LogicException('Every row has a title.');
    }

    private function deploy(DatabaseKind $kind, string $api): void
    {
        $this->database = self::$databases[$kind->value]
            ??= Database::start($kind, self::$room->path . '/' . $kind->value);
        $this->api = $api;
        $this->other = $this->database->connect();
        $made = $this->other->query($kind === DatabaseKind::MariaDb
            ? "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
            : "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
        foreach (array_filter($made === false ? [] : $made->fetchAll(PDO::FETCH_COLUMN), is_string(...)) as $table) {
            $this->other->exec("DROP TABLE $table");
        }
        foreach (['news', 'comment'] as $table) {
            $this->other->exec("CREATE TABLE $table (id INT NOT NULL PRIMARY KEY, title VARCHAR(20) NOT NULL)");
            $this->other->exec("INSERT INTO $table VALUES (4, 'four')");
        }
        $this->site = new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $this->directory->path . '/pages',
            list: $this->directory->path . '/list.php',
            controllers: [NewsController::class],
            connect: $this->open(...),
            operations: new Operations(code: []),
        );
        Pages::of($this->site)->deploy('r1');
    }

    private function connect(): RecordingMysqli|RecordingPdo
    {
        mysqli_report($this->api === 'mysqli that returns false'
            ? MYSQLI_REPORT_OFF
            : MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        $connection = Pages::of($this->site)->connect();
        self::assertTrue($connection instanceof RecordingMysqli || $connection instanceof RecordingPdo);

        return $connection;
    }

    private function open(): RecordingMysqli|RecordingPdo
    {
        $database = $this->database;
        [$user, $password, $log] = [$database->user, $database->password, new NullLogger()];

        return $this->api === 'pdo'
            ? new RecordingPdo($database->dsn, logger: $log, user: $user, password: $password)
            : new RecordingMysqli(
                null,
                $user,
                $password,
                $database->part('dbname'),
                null,
                $database->part('unix_socket'),
                logger: $log,
            );
    }
}
