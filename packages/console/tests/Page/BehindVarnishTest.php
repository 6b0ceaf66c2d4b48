<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Console\Application;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\EdgeChecks;
use Larder\Console\PurgeCommand;
use Larder\Console\VarnishConfigCommand;
use Larder\Edge\EdgeHeaders;
use Larder\Edge\EdgeKeys;
use Larder\Edge\Exception\EdgeFailed;
use Larder\Edge\Purges;
use Larder\Edge\UnfinishedPurges;
use Larder\Edge\VarnishEdge;
use Larder\Metrics\NullCounters;
use Larder\Page\Area;
use Larder\Page\EdgeMarks;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\VarnishConfig;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Varnish;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\QuickController;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Symfony\Component\Console\Input\StringInput;
use Symfony\Component\Console\Output\BufferedOutput;

/** Varnish in front of nginx, with pages in files and in memcached. */
#[CoversClass(VarnishEdge::class)]
#[CoversClass(VarnishConfig::class)]
#[CoversClass(Purges::class)]
#[CoversClass(UnfinishedPurges::class)]
#[CoversClass(EdgeMarks::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PurgeCommand::class)]
#[CoversClass(VarnishConfigCommand::class)]
final class BehindVarnishTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        if (str_starts_with($_SERVER['REQUEST_URI'], '/beside')) {
            header('Surrogate-Key: news:');
            header('Surrogate-Control: max-age=99');
            exit('beside Larder');
        }
        $site = Larder\Tests\Page\BehindVarnishTest::describe(getenv('HOME_OF_SITE'));
        $database = Larder\Page\Pages::of($site)->connect();
        $controller = str_contains($_SERVER['REQUEST_URI'], 'quick')
            ? Larder\Tests\Support\QuickController::class
            : Larder\Tests\Support\NewsController::class;
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            $controller,
            fn() => Larder\Tests\Page\BehindVarnishTest::show($database, $_SERVER['REQUEST_URI']),
        );
        PHP;

    private static TemporaryDirectory $directory;

    /** @var list<Memcached|RunningSite|Varnish> */
    private static array $servers = [];

    /** @var array<string, RunningSite> by store */
    private static array $sites = [];

    /** @var array<string, Varnish> by store */
    private static array $varnish = [];

    private static int $rows = 0;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('larder-edge');
        $directory = self::$directory->path;
        $front = $directory . '/front.php';
        file_put_contents(
            $front,
            \sprintf(self::FRONT, var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true)),
        );
        foreach (['files', 'memcached'] as $store) {
            $home = "$directory/$store";
            mkdir($home);
            if ($store === 'memcached') {
                self::$servers[] = new Memcached("$home/mc", socket: true);
            }
            $site = self::describe($home);
            $database = Pages::of($site)->connect();
            $database->exec('PRAGMA journal_mode = WAL');
            $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
            $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER)');
            Pages::of($site)->deploy('r1');
            $running = RunningSite::start(
                $site,
                "$home/run",
                $front,
                workers: 2,
                environment: ['HOME_OF_SITE' => $home],
                writable: [$home],
            );
            chmod("$home/site.sqlite", 0o666);
            $varnish = new Varnish(
                "$home/varnish",
                (new VarnishConfig($site, "127.0.0.1:{$running->port}", ['127.0.0.1']))->whole(),
            );
            file_put_contents("$home/edge", (string) $varnish->port());
            // Nobody was there to be purged by the first deployment, which the next purge would do.
            (new UnfinishedPurges($site->pages . '/unpurged'))->take(['news:']);
            array_push(self::$servers, $running, $varnish);
            self::$sites[$store] = $running;
            self::$varnish[$store] = $varnish;
        }
    }

    public static function tearDownAfterClass(): void
    {
        foreach (array_reverse(self::$servers) as $server) {
            $server->stop();
        }
        self::$servers = self::$sites = self::$varnish = [];
        self::$directory->remove();
    }

    public static function describe(string $home): Site
    {
        $port = (int) @file_get_contents($home . '/edge');

        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class, QuickController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo("sqlite:$home/site.sqlite", logger: new NullLogger());
                $database->exec('PRAGMA busy_timeout = 5000');
                $database->exec('PRAGMA synchronous = OFF');

                return $database;
            },
            urls: new Urls(areas: [new Area('/quick', ttl: 10)]),
            operations: new Operations(code: []),
            storage: new Storage(
                memcached: is_dir("$home/mc") ? ["unix:$home/mc/memcached.sock"] : [],
                patience: 2_000,
            ),
            serving: new Serving(
                edge: new VarnishEdge(['127.0.0.1:' . ($port === 0 ? 9 : $port)]),
                edgeHeaders: new EdgeHeaders(most: 6),
            ),
        );
    }

    public static function show(RecordingPdo $database, string $uri): void
    {
        [, $way, $ids] = explode('/', $uri) + ['', '', '0'];
        if ($way === 'marked') {
            header('Surrogate-Key: news:');
            header('Surrogate-Control: max-age=99');
        }
        if ($way === 'session') {
            session_start();
        }
        foreach (explode('-', $ids) as $id) {
            $title = $database->select('SELECT title FROM news WHERE id = ?', [(int) $id])[0]['title'] ?? 'none';
            echo '<h1>', \is_string($title) ? $title : '', '</h1>';
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testAChangePurgesItsPageAndLeavesTheOthers(string $store): void
    {
        [$one, $two] = [$this->news($store, 'one'), $this->news($store, 'two')];
        foreach ([$one, $two] as $id) {
            $this->keep($store, "/news/$id");
        }
        $this->write($store, $one, 'changed');

        $after = $this->get($store, "/news/$one");
        self::assertSame('<h1>changed</h1>', $after->body);
        self::assertStringNotContainsString('varnish', (string) $after->header('cache-status'));
        self::assertTrue($this->isHit($store, "/news/$two"));
        self::assertTrue($this->isHit($store, "/news/$one"), 'the new page is kept');
        self::assertNull($after->header('surrogate-key'));
        self::assertNull($after->header('surrogate-control'));
        self::assertNull($after->header('xkey'));
        self::assertSame('no-cache', $after->header('cache-control'), 'a browser asks each time');
    }

    /** Files have no head: nginx says of them what it knows. */
    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testAHitOfNginxIsPurgedToo(string $store): void
    {
        [$one, $two] = [$this->news($store, 'one'), $this->news($store, 'two')];
        $this->keep($store, "/news/$one");
        $this->keep($store, "/news/$two");
        (new VarnishEdge(['127.0.0.1:' . self::$varnish[$store]->port()]))->purge(['news:']);
        foreach ([$one, $two] as $id) {
            self::assertSame('larder; hit', $this->get($store, "/news/$id")->header('cache-status'));
            self::assertTrue($this->isHit($store, "/news/$id"));
        }
        $this->write($store, $one, 'changed');

        self::assertSame('<h1>changed</h1>', $this->get($store, "/news/$one")->body);
        self::assertTrue($this->isHit($store, "/news/$two"));
    }

    public function testDoctorSaysWhetherTheEdgeDrops(): void
    {
        $said = static fn(Site $site): array => array_map(
            static fn(Check $check): string => "$check->state $check->name",
            (new EdgeChecks($site))->run(),
        );
        $site = $this->site('files');
        $drops = 'the edge drops what it is told to';
        $dropped = 'the edge has dropped all that was changed on this host';
        self::assertSame(["ok $drops", "ok $dropped"], $said($site));
        file_put_contents($site->pages . '/unpurged', "news:/news/4\n");
        self::assertSame(["ok $drops", "failed $dropped"], $said($site));
        Pages::of($site)->purges()?->purge([]);
        self::assertSame(["ok $drops", "ok $dropped"], $said($site));

        $directory = new TemporaryDirectory();
        mkdir($directory->path . '/pages');
        self::assertSame(["failed $drops", "ok $dropped"], $said(self::describe($directory->path)), 'There is none.');
        $directory->remove();
    }

    /** The page is out of the ledger then, so no change would find it any more. */
    public function testAPageThatMakesRoomIsPurged(): void
    {
        $edge = Pages::of($this->site('files'))->purges();
        self::assertNotNull($edge);
        $id = $this->news('files', 'one');
        $this->keep('files', "/news/$id");
        $change = new AnnouncedChange([], ["/news/$id"]);
        self::assertTrue($this->isHit('files', "/news/$id"));
        $edge->announced($change)();
        self::assertFalse($this->isHit('files', "/news/$id"));
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testAPageOfManyNamesIsPurgedByTheTablesKey(string $store): void
    {
        $ids = array_map(fn(int $number): int => $this->news($store, "n$number"), range(1, 12));
        $many = '/list/' . implode('-', $ids);
        $few = '/list/' . implode('-', \array_slice($ids, 10));
        foreach ([$many, $few] as $uri) {
            $this->keep($store, $uri);
        }
        $answer = $this->origin($store, $many);
        self::assertLessThan(6 * 17 + 230, \strlen((string) $answer->header('surrogate-key')));
        $this->write($store, $ids[0], 'changed');
        self::assertStringContainsString('changed', $this->get($store, $many)->body);
        self::assertTrue($this->isHit($store, $few));
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testDeployAndFlushPurgeAll(string $store): void
    {
        $id = $this->news($store, 'one');
        $this->keep($store, "/news/$id");
        foreach (['flush', 'deploy'] as $step) {
            self::assertTrue($this->isHit($store, "/news/$id"));
            $site = $this->site($store);
            // The release stays the same, since php-fpm reads the list of another one a moment later.
            $ledger = Pages::of($site)->ledger();
            $step === 'flush' ? $ledger->flush() : $ledger->deploy();
            $after = $this->get($store, "/news/$id");
            self::assertSame('larder; fwd=miss; stored', $after->header('cache-status'), $step);
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testARollbackPurgesNothing(string $store): void
    {
        $id = $this->news($store, 'one');
        $this->keep($store, "/news/$id");
        $database = Pages::of($this->site($store))->connect();
        $database->beginTransaction();
        $database->exec("UPDATE news SET title = 'x' WHERE id = $id");
        $database->takeBack();

        self::assertTrue($this->isHit($store, "/news/$id"));
    }

    /** What a client or the data say of keys has no effect. */
    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testKeysCannotBeInjected(string $store): void
    {
        $id = $this->news($store, "Surrogate-Key: news:\r\n\r\nxkey: news:");
        $other = $this->news($store, 'other');
        $this->keep($store, "/news/$other");
        $injected = ['Surrogate-Key' => "news:/news/$other", 'xkey-purge' => 'news:', 'xkey' => 'news:'];
        $this->get($store, "/news/$id", $injected + ['Surrogate-Control' => 'max-age=0']);
        self::assertTrue($this->isHit($store, "/news/$id"));
        self::assertTrue($this->isHit($store, "/news/$other"));
        $this->write($store, $other, 'changed');
        self::assertTrue($this->isHit($store, "/news/$id"), 'it does not carry the key of the other');

        // The application says so itself: the page is not stored, and the edge does not hear of it.
        foreach ([1, 2] as $time) {
            $marked = $this->get($store, "/marked/$id");
            self::assertStringContainsString('only Larder sets', (string) $marked->header('cache-status'));
            self::assertFalse($this->isHit($store, "/marked/$id"), "time $time");
        }
        foreach (["/marked/$id", "/marked/$id?other=1", '/beside?other=1'] as $uri) {
            self::assertNull($this->origin($store, $uri)->header('surrogate-key'), $uri);
            self::assertNull($this->origin($store, $uri)->header('surrogate-control'), $uri);
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testWhatIsNoPageForAllIsNotKept(string $store): void
    {
        $id = $this->news($store, 'one');
        $kept = $this->news($store, 'kept');
        $this->keep($store, "/news/$kept");
        foreach ([
            ["/news/$id", ['Cookie' => 'PHPSESSID=abc']],
            ["/news/$id", ['Cookie' => 'theme=dark;PHPSESSID = "abc"']],
            ["/news/$id", ['Authorization' => 'Basic YTpi']],
            ["/news/$kept", ['Cookie' => 'PHPSESSID=abc']],
            ["/news/$kept", ['Cookie' => 'theme=dark;PHPSESSID = "abc"']],
            ["/news/$kept", ['Authorization' => 'Basic YTpi']],
            ["/news/$id?unknown=1", []],
            ["/quick/$id", []],
            ["/session/$id", []],
        ] as [$uri, $headers]) {
            $this->get($store, $uri, $headers);
            self::assertFalse($this->isHit($store, $uri, $headers), $uri);
        }
        $this->get($store, "/news/$id", ['Cookie' => 'theme=dark']);
        self::assertTrue($this->isHit($store, "/news/$id", ['Cookie' => 'theme=light']));
        self::assertNull($this->origin($store, "/quick/$id")->header('surrogate-control'));
    }

    public function testAPurgeThatFailsIsDoneWithTheNextOne(): void
    {
        $id = $this->news('files', 'one');
        $other = $this->news('files', 'other');
        $this->keep('files', "/news/$id");
        $before = $this->counted();
        $edge = self::$directory->path . '/files/edge';
        file_put_contents($edge, '1');
        try {
            $this->write('files', $id, 'changed');
        } finally {
            file_put_contents($edge, (string) self::$varnish['files']->port());
        }
        self::assertSame($before['failed'] + 1, $this->counted()['failed']);
        self::assertTrue($this->isHit('files', "/news/$id"), 'an old page, for its ttl there at longest');
        $this->write('files', $other, 'changed');
        self::assertSame('<h1>changed</h1>', $this->get('files', "/news/$id")->body);
        self::assertSame($before['done'] + 1, $this->counted()['done']);
        self::assertSame(0, Pages::of($this->site('files'))->purges()?->purge([]), 'nothing is left to do');
    }

    public function testTheCommandPurgesPagesNamesAndAll(): void
    {
        [$one, $two, $three] = [$this->news('files', '1'), $this->news('files', '2'), $this->news('files', '3')];
        $hits = fn(): array => array_map(
            fn(int $id): bool => $this->isHit('files', "/news/$id"),
            [$one, $two, $three],
        );
        foreach ([
            ["/news/$one", [false, true, true]],
            ["news:$two /news/$three", [true, false, false]],
            ['--all', [false, false, false]],
        ] as [$words, $expected]) {
            array_map(fn(int $id): Response => $this->get('files', "/news/$id"), [$one, $two, $three]);
            array_map(fn(int $id): Response => $this->get('files', "/news/$id"), [$one, $two, $three]);
            // By a name a page is known where PHP has answered, as it has after a change.
            $this->write('files', $two, "for $words");
            $this->get('files', "/news/$two");
            self::assertSame(0, $this->command("purge $words")[0]);
            self::assertSame($expected, $hits(), $words);
        }
        self::assertSame([0, "Nothing was left to purge.\n"], $this->command('purge'));
    }

    public function testTheCommandTriesWhatHasFailedAgain(): void
    {
        $id = $this->news('files', 'one');
        $this->keep('files', "/news/$id");
        $edge = self::$directory->path . '/files/edge';
        file_put_contents($edge, '1');
        try {
            $this->write('files', $id, 'changed');
            [$code, $said] = $this->command('purge');
            self::assertNotSame(0, $code);
            self::assertStringContainsString('not everything was purged (127.0.0.1:1: ', $said);
        } finally {
            file_put_contents($edge, (string) self::$varnish['files']->port());
        }
        self::assertTrue($this->isHit('files', "/news/$id"));
        self::assertSame(0, $this->command('purge')[0]);
        self::assertFalse($this->isHit('files', "/news/$id"));
    }

    public function testTheCommandPrintsTheVcl(): void
    {
        self::assertSame(
            [0, (new VarnishConfig($this->site('files'), '127.0.0.1:8080', ['192.0.2.7']))->whole()],
            $this->command('varnish:config --backend=127.0.0.1:8080 --purger=192.0.2.7'),
        );
    }

    public function testAServerThatHangsIsGivenUp(): void
    {
        $varnish = self::$varnish['files'];
        $varnish->pause();
        try {
            $this->expectException(EdgeFailed::class);
            $this->expectExceptionMessage("127.0.0.1:{$varnish->port()}: no answer in 50 ms");
            (new VarnishEdge(["127.0.0.1:{$varnish->port()}"], 50))->purge(['news:/no/page']);
        } finally {
            $varnish->resume();
        }
    }

    public function testAServerThatIsGoneIsToldByItsName(): void
    {
        $log = new TestLog();
        $gone = new Purges(
            new VarnishEdge(['127.0.0.1:1', '127.0.0.1:' . self::$varnish['files']->port()]),
            new EdgeKeys('news'),
            new UnfinishedPurges(self::$directory->path . '/unpurged'),
            static fn(): NullCounters => new NullCounters(),
            $log,
        );
        $id = $this->news('files', 'one');
        $this->keep('files', "/news/$id");
        try {
            $gone->purge(["news:/news/$id"]);
            self::fail('Nobody listens there.');
        } catch (EdgeFailed $failed) {
            self::assertStringContainsString('127.0.0.1:1: ', $failed->getMessage());
            self::assertStringContainsString('larder purge', $failed->getMessage());
        }
        self::assertFalse($this->isHit('files', "/news/$id"), 'the one that is there has purged');
        self::assertSame(["news:/news/$id"], (new UnfinishedPurges(self::$directory->path . '/unpurged'))->take(['x']));
    }

    public function testWhoMayNotPurgeIsTold(): void
    {
        $strict = new Varnish(
            self::$directory->path . '/strict',
            (new VarnishConfig($this->site('files'), '127.0.0.1:1', ['192.0.2.1']))->whole(),
        );
        try {
            $this->expectException(EdgeFailed::class);
            $this->expectExceptionMessage('it answered 405');
            (new VarnishEdge(["127.0.0.1:{$strict->port()}"]))->purge(['news:']);
        } finally {
            $strict->stop();
        }
    }

    /** A terminator of TLS on the machine of Varnish has the address of who may purge there. */
    public function testWithASecretNoAddressPurges(): void
    {
        $site = static fn(VarnishEdge $edge): Site => new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: self::$directory->path . '/secret-pages',
            list: '/none',
            controllers: [],
            connect: static fn(): never => throw new \LogicException('Nobody connects.'),
            serving: new Serving(edge: $edge),
        );
        try {
            (new VarnishConfig($site(new VarnishEdge(['127.0.0.1:1'])), '127.0.0.1:1'))->whole();
            self::fail('Nobody is named, and there is no secret.');
        } catch (InvalidSite $nobody) {
            self::assertStringContainsString('nobody could purge', $nobody->getMessage());
        }
        $secret = 'of-the-hosts-with-PHP';
        $told = (new VarnishConfig($site(new VarnishEdge(['127.0.0.1:1'], 1000, $secret)), '127.0.0.1:1'))->whole();
        $varnish = new Varnish(self::$directory->path . '/secret', $told);
        $server = "127.0.0.1:{$varnish->port()}";
        try {
            (new VarnishEdge([$server], 5000, $secret))->purge(['news:']);
            foreach ([null, $secret . '-', 'another-secret-of-ours'] as $wrong) {
                try {
                    (new VarnishEdge([$server], 5000, $wrong))->purge(['news:']);
                    self::fail("It purged with $wrong.");
                } catch (EdgeFailed $failed) {
                    self::assertStringContainsString('it answered 405', $failed->getMessage());
                }
            }
        } finally {
            $varnish->stop();
        }
    }

    public function testManyKeysGoInSeveralRequests(): void
    {
        $ids = array_map(fn(int $number): int => $this->news('files', "n$number"), range(1, 3));
        foreach ($ids as $id) {
            $this->keep('files', "/news/$id");
        }
        $keys = array_map(static fn(int $number): string => "news:/no/$number/" . str_repeat('x', 150), range(1, 200));
        $keys = ["news:/news/{$ids[0]}", ...$keys, "news:/news/{$ids[2]}"];
        (new VarnishEdge(['127.0.0.1:' . self::$varnish['files']->port()]))->purge($keys);

        $hits = array_map(fn(int $id): bool => $this->isHit('files', "/news/$id"), $ids);
        self::assertSame([false, true, false], $hits);
    }

    /** @return array{done: int, failed: int} */
    private function counted(): array
    {
        $counts = Pages::of($this->site('files'))->counters()->all();

        return [
            'done' => (int) ($counts[Purges::SERIES . '{result="done"}'] ?? 0),
            'failed' => (int) ($counts[Purges::SERIES . '{result="failed"}'] ?? 0),
        ];
    }

    private function site(string $store): Site
    {
        return self::describe(self::$directory->path . '/' . $store);
    }

    private function news(string $store, string $title): int
    {
        $id = ++self::$rows;
        $connection = Pages::of($this->site($store))->connect();
        $connection->own()->change('INSERT INTO news VALUES (?, ?)', [$id, $title]);

        return $id;
    }

    private function write(string $store, int $id, string $title): void
    {
        Pages::of($this->site($store))->connect()->exec("UPDATE news SET title = '$title' WHERE id = $id");
    }

    /** @param array<string, string> $headers */
    private function get(string $store, string $uri, array $headers = []): Response
    {
        $headers += ['Host' => 'localhost'];

        return Connection::ask('127.0.0.1:' . self::$varnish[$store]->port(), 'GET', $uri, $headers);
    }

    /** @return array{int, string} */
    private function command(string $words): array
    {
        $file = self::$directory->path . '/larder.php';
        $home = var_export(self::$directory->path . '/files', true);
        file_put_contents($file, '<?php return ' . self::class . "::describe($home);");
        $output = new BufferedOutput();
        $application = Application::create();
        $application->setAutoExit(false);
        $code = $application->run(new StringInput("$words --site=$file"), $output);

        return [$code, $output->fetch()];
    }

    /** Lets nginx and Varnish keep a page. */
    private function keep(string $store, string $uri): void
    {
        self::assertSame('larder; fwd=miss; stored', $this->get($store, $uri)->header('cache-status'), $uri);
        self::assertTrue($this->isHit($store, $uri), $uri);
    }

    private function origin(string $store, string $uri): Response
    {
        return Connection::ask('127.0.0.1:' . self::$sites[$store]->port, 'GET', $uri, ['Host' => 'localhost']);
    }

    /** @param array<string, string> $headers */
    private function isHit(string $store, string $uri, array $headers = []): bool
    {
        return str_ends_with((string) $this->get($store, $uri, $headers)->header('cache-status'), ', varnish; hit');
    }
}
