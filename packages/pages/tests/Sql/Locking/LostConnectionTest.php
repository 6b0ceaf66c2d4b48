<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Page\Miss;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Sql\Ledger\CurrentVersions;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use Larder\Tests\Support\TestLog;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** A process that answers many requests goes on storing when it has connected anew. */
#[CoversClass(Pages::class)]
#[CoversClass(Miss::class)]
#[CoversClass(CurrentVersions::class)]
final class LostConnectionTest extends TestCase
{
    private TemporaryDirectory $directory;

    private MariaDb $server;

    private Site $site;

    private ?RecordingPdo $connection = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->server = new MariaDb($this->directory->path . '/server');
        $this->open()->exec('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(20))');
        $this->open()->exec('CREATE TABLE comment (id INT PRIMARY KEY)');
        $this->open()->exec("INSERT INTO news VALUES (4, 'four')");
        $path = $this->directory->path;
        $describe = fn(): Site => new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $path . '/pages',
            list: $path . '/list.php',
            controllers: [NewsController::class],
            connect: $this->open(...),
            operations: new Operations(code: []),
        );
        Pages::of($describe())->deploy('r1');
        $this->site = $describe();
    }

    protected function tearDown(): void
    {
        $this->connection = null;
        $this->server->stop();
        $this->directory->remove();
    }

    public function testPagesAreStoredOverTheConnectionThatTheProcessHasNow(): void
    {
        $cache = Pages::of($this->site)->pageCache($this->now(...), new NullLogger());
        $page = fn(): Response => $cache->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            fn(): Response => NewsSite::html($this->title()),
        );
        $page();
        self::assertTrue($this->stores());
        for ($i = 1; $i <= 2; ++$i) {
            $this->writer()->exec("UPDATE news SET title = 'new $i' WHERE id = 4");
            self::assertFalse($this->stores());
            $this->lose();
            try {
                self::fail($page()->body);
            } catch (PDOException) {
                // As without Larder. The application connects anew for its next request.
                $this->connection = null;
            }
            self::assertSame("new $i", $page()->body);
            self::assertTrue($this->stores());
        }
        $this->connection = null;
        $page();
        $this->writer()->exec("UPDATE news SET title = 'newest' WHERE id = 4");
        self::assertFalse($this->stores(), 'the new connection is followed');
    }

    public function testAPageIsNotStoredIfItsConnectionIsAnotherOneAtItsEnd(): void
    {
        $answer = Pages::of($this->site)->pageCache($this->now(...), new NullLogger())->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            function (): Response {
                $this->connection = null;

                return NewsSite::html($this->title());
            },
        );
        self::assertStringContainsString('connection was made anew', (string) $answer->header('cache-status'));
        self::assertFalse($this->stores());
    }

    public function testNoConnectionIsMadeForARequestWithoutAPage(): void
    {
        $cache = Pages::of($this->site)->pageCache(static fn(): never => self::fail('Nobody needs it.'));
        $answer = $cache->answer(new PageRequest('POST', '/a', false), null, static fn() => NewsSite::html('x'));
        self::assertSame('x', $answer->body);
    }

    public function testAPageIsMadeThoughThereIsNoConnection(): void
    {
        $log = new TestLog();
        $lost = static fn(): never => throw new PDOException('It is gone.');
        $answer = Pages::of($this->site)->pageCache($lost, $log)->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            static fn(): Response => NewsSite::html('made without it'),
        );
        self::assertSame('made without it', $answer->body);
        self::assertSame(
            'larder; fwd=bypass; detail="the site has no connection to its database"',
            $answer->header('cache-status'),
        );
        self::assertCount(1, $log->lines());
    }

    public function testValuesAreStoredOverTheConnectionThatTheProcessHasNow(): void
    {
        $store = new ArrayStore();
        foreach ([
            'strict' => Pages::of($this->site)->cache(new ArrayStore(), $this->now(...), log: new TestLog()),
            'gates' => new Cache($store, new Gates($store, $this->now(...)), log: new TestLog()),
        ] as $kind => $cache) {
            $change = fn(string $title): mixed => $cache->change([], fn() => $this->now()->exec(
                "UPDATE news SET title = '$title' WHERE id = 4",
            ));
            for ($i = 1; $i <= 2; ++$i) {
                self::assertNotSame('', $cache->remember('k', $this->title(...)), $kind);
                self::assertTrue($cache->has('k'), $kind);
                $this->lose();
                $this->connection = null;
                $change("$kind $i");
                self::assertFalse($cache->has('k'), $kind);
                self::assertSame("$kind $i", $cache->remember('k', $this->title(...)));
            }
            $cache->remember('torn', function (): string {
                $this->connection = null;

                return $this->title();
            });
            self::assertFalse($cache->has('torn'), $kind);
        }
    }

    private function now(): RecordingPdo
    {
        return $this->connection ??= $this->writer();
    }

    private function title(): string
    {
        $title = $this->now()->select('SELECT title FROM news WHERE id = 4')[0]['title'] ?? '';

        return \is_string($title) ? $title : '';
    }

    private function open(): RecordingPdo
    {
        $endpoint = $this->server->endpoint();

        return new RecordingPdo(
            'mysql:unix_socket=' . $endpoint->socket . ';dbname=bench;charset=utf8mb4',
            logger: new NullLogger(),
            user: $endpoint->extra['user'] ?? '',
            password: $endpoint->extra['password'] ?? '',
        );
    }

    private function writer(): RecordingPdo
    {
        $writer = $this->open();
        Pages::of($this->site)->follow($writer);

        return $writer;
    }

    /** Ends the connection that the process has, at the server. */
    private function lose(): void
    {
        $this->open()->exec('KILL ' . $this->connection?->own()->rows('SELECT CONNECTION_ID() AS id')[0]['id']);
    }

    private function stores(): bool
    {
        return is_file($this->site->pages . '/current/news/4~page');
    }
}
