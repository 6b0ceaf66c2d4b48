<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Edge\Edge;
use Larder\Page\AfterAnswer;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * Pages that php-fpm sends before it stores them. Its one worker takes a request only once the one before is over, so
 * the second request for a page finds what the first one stored.
 */
#[CoversClass(AfterAnswer::class)]
final class AnswersFirstTest extends TestCase
{
    private TemporaryDirectory $directory;

    private PDO $writer;

    private ?PhpFpm $php = null;

    private ?Memcached $memcached = null;

    private ?Pages $pages = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        mkdir($this->directory->path . '/pages');
        $this->writer = new PDO("sqlite:{$this->directory->path}/news");
        $this->writer->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $this->writer->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $this->writer->exec("INSERT INTO news VALUES (4, 'four')");
    }

    protected function tearDown(): void
    {
        $this->php?->stop();
        $this->memcached?->stop();
        $this->directory->remove();
    }

    public function testTheVisitorHasThePageWhileTheLedgerIsStillHeld(): void
    {
        $this->start(first: true);
        $this->writer->exec('BEGIN IMMEDIATE');
        [$head, $body] = $this->ask('/story');
        $pages = $this->stored();
        $this->writer->exec('COMMIT');

        self::assertSame('<!DOCTYPE html><p>four', $body);
        self::assertSame('larder; fwd=miss', self::header($head, 'Cache-Status'));
        self::assertNull(self::header($head, 'ETag'));
        self::assertSame((string) \strlen($body), self::header($head, 'Content-Length'));
        self::assertSame([], $pages);
        [$head, $again] = $this->ask('/story');
        self::assertSame(['larder; hit', $body], [self::header($head, 'Cache-Status'), $again]);
    }

    /** Otherwise a hit would not have what the visitor of the miss got. */
    #[TestWith(['/late'])]
    #[TestWith(['/last'])]
    public function testWhatIsEchoedAfterThePageIsSentToNobody(string $uri): void
    {
        $this->start(first: true);
        [$head, $first] = $this->ask($uri);
        [$nextHead, $next] = $this->ask($uri);

        self::assertSame(['<!DOCTYPE html><p>four', $first], [$first, $next]);
        self::assertSame(
            ['larder; fwd=miss', 'larder; hit'],
            [self::header($head, 'Cache-Status'), self::header($nextHead, 'Cache-Status')],
        );
        self::assertStringContainsString('4 bytes were echoed after run()', $this->log());
    }

    public function testAPageThatMayNotBeStoredSaysSoAtOnce(): void
    {
        $this->start(first: true);
        foreach ([1, 2] as $time) {
            $status = (string) self::header($this->ask('/undeclared')[0], 'Cache-Status');
            self::assertStringStartsWith('larder; fwd=miss; detail="it read comment', $status, "time $time");
        }
        self::assertSame([], $this->stored());
    }

    /** The data changes between the render and what stores the page: the visitor has what was true when he asked. */
    public function testAPageOfOldDataIsNotStored(): void
    {
        $this->start(first: true);
        $this->writer->exec('BEGIN IMMEDIATE');
        $body = $this->ask('/story')[1];
        $this->writer->exec('UPDATE larder_slot SET version = version + 1');
        $this->writer->exec("UPDATE news SET title = 'new'");
        $this->writer->exec('COMMIT');

        self::assertSame('<!DOCTYPE html><p>four', $body);
        self::assertSame('<!DOCTYPE html><p>new', $this->ask('/story')[1]);
        self::assertSame('<!DOCTYPE html><p>new', $this->ask('/story')[1]);
        self::assertArrayHasKey('larder_page_requests_total{result="changed"}', $this->counts());
    }

    public function testWhoDiesBeforeItStoresLeavesNoLease(): void
    {
        $this->start(first: true);
        $this->writer->exec('BEGIN IMMEDIATE');
        $this->ask('/story');
        foreach ($this->php?->workers() ?? [] as $worker) {
            posix_kill($worker, SIGKILL);
        }
        $this->writer->exec('COMMIT');

        $statuses = [];
        while (\count($statuses) < 2) {
            $answer = $this->parts('/story');
            $statuses = [...$statuses, ...($answer === null ? [] : [self::header($answer[0], 'Cache-Status')])];
        }
        self::assertSame(['larder; fwd=miss', 'larder; hit'], $statuses);
    }

    public function testWithoutItThePageIsStoredFirst(): void
    {
        $this->start(first: false);
        $head = $this->ask('/story')[0];

        self::assertSame('larder; fwd=miss; stored', self::header($head, 'Cache-Status'));
        self::assertNotNull(self::header($head, 'ETag'));
        self::assertCount(1, $this->stored());
    }

    #[TestWith([true])]
    #[TestWith([false])]
    public function testItIsSoByItselfWherePagesLieInMemcached(bool $isMemcached): void
    {
        if ($isMemcached) {
            $this->memcached = new Memcached($this->directory->path . '/memcached', socket: true);
        }
        $this->start(first: null);
        [$head, $body] = $this->ask('/story');
        [$nextHead, $next] = $this->ask('/story');

        self::assertSame(['<!DOCTYPE html><p>four', $body], [$body, $next]);
        self::assertSame(
            [$isMemcached ? 'larder; fwd=miss' : 'larder; fwd=miss; stored', 'larder; hit'],
            [self::header($head, 'Cache-Status'), self::header($nextHead, 'Cache-Status')],
        );
    }

    /** An edge keeps no page of which nobody knows yet whether it is stored. */
    public function testItIsNotSoByItselfBehindAnEdge(): void
    {
        $site = static fn(?Edge $edge, ?bool $first = null): Site => new Site(
            name: 'first',
            hosts: ['localhost'],
            pages: '/pages',
            list: '/list.php',
            controllers: [],
            connect: static fn(): never => self::fail('It is not used.'),
            storage: new Storage(memcached: ['127.0.0.1:11211']),
            serving: new Serving(edge: $edge, answersFirst: $first),
        );
        $edge = self::createStub(Edge::class);

        self::assertSame(
            [true, false, false, true],
            [
                $site(null)->answersFirst(),
                $site($edge)->answersFirst(),
                $site(null, false)->answersFirst(),
                $site($edge, true)->answersFirst(),
            ],
        );
    }

    /** @param bool|null $first null: as the site does by itself */
    private function start(?bool $first): void
    {
        $environment = [
            'AUTOLOAD' => \dirname(__DIR__, 3) . '/vendor/autoload.php', 'PAGES' => $this->directory->path,
            'FIRST' => $first === null ? '' : (string) (int) $first,
        ];
        foreach ($environment as $name => $value) {
            putenv("$name=$value");
        }
        try {
            $site = require __DIR__ . '/answersFirst.php';
            self::assertInstanceOf(Site::class, $site);
            $this->pages = Pages::of($site);
            $this->pages->deploy();
        } finally {
            array_map(putenv(...), array_keys($environment));
        }
        $account = Account::ableToReach(__FILE__);
        $account->own($this->directory->path);
        $this->php = new PhpFpm($this->directory->path, $account, 1, $environment);
    }

    /** @return array{string, string} head and body */
    private function ask(string $uri): array
    {
        return $this->parts($uri) ?? self::fail('php-fpm gave no whole answer: ' . $this->log());
    }

    /** @return array{string, string}|null */
    private function parts(string $uri): ?array
    {
        $script = new FastCgi((string) $this->php?->socket, __DIR__ . '/answersFirst.php');

        return $script->parts('', $uri, ['LARDER_PAGE' => $uri, 'SERVER_NAME' => 'localhost']);
    }

    private static function header(string $head, string $name): ?string
    {
        return preg_match("/^$name: (.*)$/mi", $head, $found) === 1 ? trim($found[1]) : null;
    }

    /** @return list<string> keys of the pages that are stored just now */
    private function stored(): array
    {
        return $this->site()->directory()->keys();
    }

    /** @return array<string, int|float> */
    private function counts(): array
    {
        return $this->site()->counters()->all();
    }

    private function site(): Pages
    {
        self::assertNotNull($this->pages);

        return $this->pages;
    }

    private function log(): string
    {
        return (string) @file_get_contents($this->directory->path . '/php.log')
            . (string) @file_get_contents($this->directory->path . '/php-fpm.log');
    }
}
