<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\DirectoryChecks;
use Larder\Console\Doctor\PoolChecks;
use Larder\Console\Examination;
use Larder\Console\PageExplanation;
use Larder\Console\StatsCommand;
use Larder\Console\TopScreen;
use Larder\Page\GuardedServers;
use Larder\Page\Limits;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\PageServers;
use Larder\Page\Response;
use Larder\Page\Sample;
use Larder\Page\ServerReport;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\MetaConnection;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Symfony\Component\Console\Tester\CommandTester;

/** The program on a site whose pages are in two memcached servers, of which one is sound and one is made ill. */
#[CoversClass(DirectoryChecks::class)]
#[CoversClass(Examination::class)]
#[CoversClass(GuardedServers::class)]
#[CoversClass(PageExplanation::class)]
#[CoversClass(PageServers::class)]
#[CoversClass(PoolChecks::class)]
#[CoversClass(Sample::class)]
#[CoversClass(ServerReport::class)]
#[CoversClass(StatsCommand::class)]
#[CoversClass(TopScreen::class)]
final class PoolTest extends TestCase
{
    private TemporaryDirectory $directory;

    /** @var list<Memcached> */
    private array $memcached;

    private Site $site;

    private RecordingPdo $database;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->memcached = [
            new Memcached($this->directory->path . '/1', options: ['-I', '4m', '-m', '64']),
            new Memcached($this->directory->path . '/2', options: ['-I', '4m', '-m', '64']),
        ];
        mkdir($this->directory->path . '/site/pages', recursive: true);
        $this->deploy();
    }

    protected function tearDown(): void
    {
        foreach ($this->memcached as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    /** @param list<string> $memcached */
    public static function site(string $path, array $memcached, ?string $guard): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $path . '/pages',
            list: $path . '/list.php',
            controllers: [NewsController::class],
            connect: static fn(): RecordingPdo => new RecordingPdo(
                "sqlite:$path/site.sqlite",
                logger: new NullLogger(),
            ),
            limits: new Limits(bytes: 64 << 20),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, guard: $guard),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
        );
    }

    public function testASoundPoolHasNothingToBeSaid(): void
    {
        $this->get('/news/4');
        $found = $this->found();
        $names = array_map(static fn(Check $check): string => $check->name, (new Examination($this->site))->checks());
        self::assertContains('the page directory is there', $names);
        self::assertNotContains('the page directory is in memory', $names, 'It has no pages.');
        self::assertSame('', implode($found), 'It is sound.');
        foreach ([
            'the memcached servers of the pages answer',
            'the memcached servers are of version 1.6.10 or later, with CAS and flush_all',
            'the memcached servers take a page of Limits::$pageBytes',
            'the memcached servers have room for Limits::$bytes',
            'the memcached servers have displaced no page',
            'the memcached servers have connections left',
            'the memcached servers have nothing but these pages',
            'the pages in memcached belong to this ledger',
            'the pages in memcached are registered in the ledger',
            'the pages are where they were deployed',
        ] as $check) {
            self::assertArrayHasKey($check, $found);
        }
    }

    public function testWhatIsIllIsNamed(): void
    {
        $this->get('/news/4');
        $sick = $this->address(1);
        $this->ask(1, "set session 0 0 1\r\nx\r\n", "STORED\r\n");
        self::assertStringContainsString(
            'failed there is "session" too',
            $this->found()['the memcached servers have nothing but these pages'],
        );
        $this->ask(1, "delete session\r\nset larder/news/draft 0 0 0\r\n\r\n", "STORED\r\n");
        self::assertSame('', $this->found()['the pages in memcached are registered in the ledger']);
        $this->ask(1, "set larder/news/stray 0 0 1\r\nx\r\n", "STORED\r\n");
        self::assertStringContainsString(
            'failed 1, such as /stray, are not, so no change would drop them',
            $this->found()['the pages in memcached are registered in the ledger'],
        );
        $this->ask(1, "set larder/news@ 0 0 3\r\nx 1\r\n", "STORED\r\n");
        self::assertStringContainsString(
            "failed $sick: another ledger's",
            $this->found()['the pages in memcached belong to this ledger'],
        );
        $this->memcached[1]->pause();
        self::assertStringContainsString(
            "failed $sick: Connection timed out. Start them",
            $this->found()['the memcached servers of the pages answer'],
        );
        $this->memcached[1]->kill();
        self::assertStringContainsString(
            "failed $sick: Connection refused. Start them",
            $this->found()['the memcached servers of the pages answer'],
        );
    }

    public function testAServerThatIsStartedWronglyIsNamed(): void
    {
        $this->memcached[1]->stop();
        $sick = new Memcached($this->directory->path . '/3', options: ['-C', '-F', '-m', '64', '-c', '100']);
        $this->memcached = [$this->memcached[0], $sick];
        $this->site = self::site($this->directory->path . '/site', $this->addresses(), null);
        $found = $this->found();
        $sick = $this->address(1);
        foreach ([
            'the memcached servers are of version 1.6.10 or later, with CAS and flush_all'
                => "/^failed $sick: 1\.6\.\d+, cas no, flush_all no\. Start them without -C and -F/",
            'the memcached servers take a page of Limits::$pageBytes'
                => "/^remark $sick: 1048576 bytes\. .* start them with -I 3m/",
            'the pages are where they were deployed' => '/^failed they were deployed to ".*", and this site has them/',
        ] as $check => $expression) {
            self::assertMatchesRegularExpression($expression, $found[$check] ?? 'none', $check);
        }
        $connections = $this->exhaust($sick);
        $before = self::taken($connections[0]);
        array_splice($connections, -20);
        while (self::taken($connections[0]) > $before - 20) {
            // memcached refuses those that look as well, until its threads have seen the ends of these.
            usleep(1000);
        }
        self::assertMatchesRegularExpression(
            "/^failed $sick: \d+ of 100, /",
            $this->found()['the memcached servers have connections left'] ?? 'none',
        );
        $this->fillUp();
        self::assertMatchesRegularExpression(
            "/^remark {$this->address(0)}: [1-9]\d* since it was started/",
            $this->found()['the memcached servers have displaced no page'] ?? 'none',
        );
    }

    public function testAGuardThatDoesNotRunIsNamed(): void
    {
        $guard = $this->directory->path . '/guard';
        mkdir($guard);
        $this->site = self::site($this->directory->path . '/site', $this->addresses(), $guard);
        $runs = 'larder guard runs on this host';
        self::assertStringContainsString('run larder guard --once', $this->found()[$runs]);
        GuardedServers::of($this->site)?->write();
        self::assertStringContainsString('failed start it', $this->found()[$runs]);
        $lock = GuardedServers::of($this->site)?->lock();
        self::assertSame('', $this->found()[$runs]);
        GuardedServers::of($this->site)?->write($this->address(0));
        self::assertStringContainsString(
            "{$this->address(0)}: larder guard takes it back",
            $this->found()['the memcached servers of the pages answer'],
        );
        self::assertSame('out', PageServers::of($this->site)?->reports()[0]->values()['state']);
        self::assertNotNull($lock);
        fclose($lock);
        self::assertStringContainsString('failed start it', $this->found()[$runs]);
    }

    public function testExplainSaysWhereAPageIs(): void
    {
        $this->get('/news/4');
        $found = $this->json('explain', ['what' => '/news/4']);
        $page = self::rows($found['pages'])[0];
        self::assertSame([true, '/news/4'], [$found['stored'], $page['key']]);
        self::assertIsString($page['server']);
        self::assertContains($page['server'], $this->addresses());
        self::assertSame(['page', true], [$page['state'], $page['registered']]);
        self::assertSame(['news!', 'news:4'], $page['made_from']);
        self::assertGreaterThan(100, $page['bytes']);
        self::assertGreaterThan(1, $page['generation']);

        $server = (int) array_search($page['server'], $this->addresses(), true);
        $this->ask($server, "set larder/news/news/4 0 0 0\r\n\r\n", "STORED\r\n");
        $explain = fn(): string => $this->text('explain', ['what' => '/news/4']);
        self::assertStringContainsString("/news/4 is being made: its draft is on {$page['server']}.", $explain());
        $this->ask($server, "delete larder/news/news/4\r\n", "\r\n");
        self::assertStringContainsString("is not on {$page['server']} any more", $explain());
        self::assertFalse($this->json('explain', ['what' => '/news/4'])['stored']);
    }

    /** What one server keeps would be served when it is back. */
    public function testDeployAndFlushFailWhileAServerDoesAndNameIt(): void
    {
        $this->get('/news/4');
        $this->memcached[1]->pause();
        foreach (['deploy' => ['--release' => 'r2'], 'flush' => []] as $command => $options) {
            $said = $this->text($command, $options);
            self::assertStringContainsString("failed to reach {$this->address(1)}: Connection timed out.", $said);
            self::assertStringContainsString('take one that is gone for good out of Storage::$memcached', $said);
            self::assertSame('r1', Pages::of($this->site)->release()?->id);
        }
        $this->memcached[1]->resume();
        self::assertStringContainsString('1 pages removed', $this->text('flush', []));
        self::assertStringContainsString('Release r2', $this->text('deploy', ['--release' => 'r2']));
        self::assertSame('', implode($this->found()));
        // As a process that begins now.
        $this->site->loaded->forget();
        $this->get('/news/4');
    }

    public function testStatsAndTopShowTheServers(): void
    {
        $this->get('/news/4');
        $this->memcached[1]->kill();
        foreach (['stats' => [], 'top' => ['--once' => true]] as $command => $options) {
            [$up, $down] = self::rows($this->json($command, $options)['servers']);
            self::assertSame([$this->address(0), 'up', null], [$up['server'], $up['state'], $up['reason']]);
            self::assertSame([64 << 20, 0], [$up['bytes_limit'], $up['evictions']]);
            self::assertSame([$this->address(1), 'fails', 'Connection refused'], [
                $down['server'], $down['state'], $down['reason'],
            ]);
            $tester = $this->text($command, $options);
            self::assertMatchesRegularExpression(
                "/{$this->address(0)} is up: \d items, \S+ of 64.0 MB, 0 evictions/",
                $tester,
            );
            self::assertStringContainsString("{$this->address(1)} FAILS: Connection refused", $tester);
        }
    }

    private function deploy(): void
    {
        $this->site = self::site($this->directory->path . '/site', $this->addresses(), null);
        $this->describe($this->site);
        $database = Pages::of($this->site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $database);
        $this->database = $database;
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $database->exec("INSERT INTO news VALUES (4, 'four')");
        Pages::of($this->site)->deploy('r1');
    }

    private function describe(Site $site): void
    {
        $words = [
            \dirname(__DIR__, 4) . '/vendor/autoload.php', \dirname($site->pages), $site->storage->memcached,
            $site->storage->guard,
        ];
        $words = array_map(static fn(mixed $word): string => var_export($word, true), $words);
        $text = '<?php require_once %s; return Larder\Tests\Console\PoolTest::site(%s, %s, %s);';
        file_put_contents($this->directory->path . '/larder.php', \sprintf($text, ...$words));
    }

    private function get(string $key): void
    {
        $answer = Pages::of($this->site)->pageCache($this->database)->answer(
            new PageRequest('GET', $key, false),
            NewsController::class,
            function (): Response {
                $this->database->select('SELECT title FROM news WHERE id = 4');

                return new Response(200, ['content-type' => ['text/plain']], str_repeat('text ', 9));
            },
        );
        self::assertSame('larder; fwd=miss; stored', $answer->header('cache-status'));
    }

    /** @return array<string, string> the state and the remedy of each check on pages; empty: it is ok */
    private function found(): array
    {
        $found = [];
        foreach ((new Examination($this->site))->checks() as $check) {
            $is = static fn(string $word): bool => str_contains($check->name, $word);
            if ($is('memcached') || $is('guard') || $is('the pages are where')) {
                $found[$check->name] = $check->state === 'ok' ? '' : "$check->state $check->remedy";
            }
        }

        return $found;
    }

    /** Until the first server displaces pages. */
    private function fillUp(): void
    {
        $value = str_repeat('x', 1 << 20);
        for ($item = 0; $item < 80; ++$item) {
            $length = \strlen($value);
            $this->ask(0, "set larder/news/$item 0 0 $length\r\n$value\r\n", "STORED\r\n");
        }
    }

    /**
     * @param array<string, mixed> $input
     *
     * @return array<array-key, mixed>
     */
    private function json(string $command, array $input): array
    {
        $text = $this->text($command, $input + ['--format' => 'json']);

        return (array) json_decode($text, true, 64, JSON_THROW_ON_ERROR);
    }

    /** @return list<array<array-key, mixed>> */
    private static function rows(mixed $rows): array
    {
        self::assertIsArray($rows);

        return array_values(array_filter($rows, is_array(...)));
    }

    /** @param array<string, mixed> $input */
    private function text(string $command, array $input): string
    {
        $tester = new CommandTester(Application::create()->find($command));
        $tester->execute($input + ['--site' => $this->directory->path . '/larder.php']);

        return $tester->getDisplay();
    }

    /** @return list<string> */
    private function addresses(): array
    {
        return array_map($this->address(...), array_keys($this->memcached));
    }

    private function address(int $server): string
    {
        return '127.0.0.1:' . $this->memcached[$server]->endpoint()->port;
    }

    /** The connections that a server has, by one of them. */
    private static function taken(MetaConnection $one): int
    {
        foreach ($one->ask("stats\r\n", (int) hrtime(true) + 60_000_000_000) as $reply) {
            if ($reply->flags[0] === 'curr_connections') {
                return (int) $reply->flags[1];
            }
        }
        self::fail('memcached does not say how many connections it has');
    }

    /** @return non-empty-list<MetaConnection> all connections that a server takes */
    private function exhaust(string $address): array
    {
        $connections = [];
        while (true) {
            $connection = new MetaConnection($address);
            try {
                $connection->ask('', (int) hrtime(true) + 60_000_000_000);
            } catch (ConnectionFailed) {
                self::assertNotSame([], $connections);

                return $connections;
            }
            $connections[] = $connection;
        }
    }

    /** @param non-empty-string $end */
    private function ask(int $server, string $commands, string $end): void
    {
        $said = Exchange::with('tcp://' . $this->address($server), $commands, $end);
        self::assertStringEndsWith($end, (string) $said);
    }
}
