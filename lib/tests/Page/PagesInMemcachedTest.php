<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Dependency\RecordingPdo;
use Larder\Page\MemcachedNodes;
use Larder\Page\MemcachedPageStore;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\StoreRules;
use Larder\Proof\Support\NewsController;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Throwable;

/** Two web servers of one site, each with nginx and php-fpm, over one ledger and two memcached servers for pages. */
#[CoversClass(MemcachedNodes::class)]
#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(StoreRules::class)]
final class PagesInMemcachedTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\PagesInMemcachedTest::site(getenv('HOME_OF_HOST'), %s, %s);
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            Larder\Proof\Support\NewsController::class,
            fn() => Larder\Tests\Page\PagesInMemcachedTest::show($database, $_SERVER['REQUEST_URI']),
        );
        PHP;

    private static TemporaryDirectory $directory;
    private static MariaDb $mariadb;

    /** @var list<string> DSN, user and password */
    private static array $database;

    /** @var list<Memcached> */
    private static array $memcached;

    /** @var list<RunningSite> */
    private static array $hosts = [];

    private static int $pages = 10;

    private RecordingPdo $writer;

    public static function setUpBeforeClass(): void
    {
        self::assertFileExists(
            '/usr/lib/nginx/modules/ngx_http_srcache_filter_module.so',
            'script/setup installs libnginx-mod-http-srcache-filter and libnginx-mod-http-memc.',
        );
        self::$directory = new TemporaryDirectory('larder-hosts');
        $directory = self::$directory->path;
        self::$mariadb = new MariaDb($directory . '/db', [], ['innodb-flush-log-at-trx-commit' => '1']);
        ['dsn' => $dsn, 'user' => $user, 'password' => $password] = self::$mariadb->endpoint()->extra;
        self::$database = [$dsn, $user, $password];
        self::$memcached = [new Memcached($directory . '/mc1'), new Memcached($directory . '/mc2', socket: true)];
        $front = $directory . '/front.php';
        file_put_contents($front, \sprintf(self::FRONT, ...array_map(
            static fn(mixed $word): string => var_export($word, true),
            [\dirname(__DIR__, 3) . '/vendor/autoload.php', self::$database, self::servers()],
        )));
        foreach (['one', 'two'] as $name) {
            mkdir("$directory/$name");
        }
        $site = self::site($directory . '/one', self::$database, self::servers());
        $writer = Pages::of($site)->connect();
        \assert($writer instanceof RecordingPdo);
        $writer->exec('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(2000))');
        $writer->exec('CREATE TABLE comment (id INT PRIMARY KEY)');
        Pages::of($site)->deploy('r1');
        copy("$directory/one/list.php", "$directory/two/list.php");
        foreach (['one', 'two'] as $name) {
            $home = "$directory/$name";
            self::$hosts[] = RunningSite::start(
                self::site($home, self::$database, self::servers()),
                $home . '/run',
                $front,
                workers: 2,
                environment: ['HOME_OF_HOST' => $home],
                writable: [$home],
                isPatient: false,
            );
        }
    }

    public static function tearDownAfterClass(): void
    {
        foreach ([...self::$hosts, ...self::$memcached ?? []] as $server) {
            $server->stop();
        }
        self::$mariadb->stop();
        self::$hosts = [];
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        $site = self::site(self::$directory->path . '/one', self::$database, self::servers());
        $writer = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $writer);
        $this->writer = $writer;
    }

    /**
     * @param list<string> $database
     * @param list<string> $memcached
     */
    public static function site(string $home, array $database, array $memcached): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static fn(): RecordingPdo => new RecordingPdo(
                $database[0],
                user: $database[1],
                password: $database[2],
                logger: new NullLogger(),
            ),
            serving: new Serving(
                headers: ['Content-Security-Policy' => "default-src 'self'"],
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached),
        );
    }

    public static function show(RecordingPdo $database, string $uri): void
    {
        [, $way, $id] = explode('/', $uri) + ['', '', '0'];
        $title = $database->select('SELECT title FROM news WHERE id = ?', [(int) $id])[0]['title'] ?? null;
        header('X-Made-Of: ' . $id);
        foreach (str_ends_with($uri, '/long') ? range(1, 9) : [] as $header) {
            header("X-Long-$header: " . str_repeat('x', 500));
        }
        if ($way === 'old') {
            header('Location: /news/' . $id, true, 301);
        } elseif (!\is_string($title)) {
            http_response_code(404);
            echo "There is no news $id.";
        } else {
            echo "<h1>$title</h1>";
        }
    }

    public function testAMissOnOneHostIsAHitOnBothWithoutPhp(): void
    {
        $uri = $this->news('four');
        $miss = $this->get($uri);
        self::assertSame('larder; fwd=miss; stored', $miss->headers['cache-status'] ?? null, $miss->body);
        $requests = self::requests();
        foreach ([0, 1] as $host) {
            $hit = $this->get($uri, host: $host);
            self::assertSame(
                [200, 'larder; hit', '<h1>four</h1>'],
                [$hit->status, $hit->headers['cache-status'], $hit->body],
            );
            self::assertEquals(self::ofPage($miss), self::ofPage($hit));
            self::assertSame("default-src 'self'", $hit->headers['content-security-policy']);
        }
        self::assertSame($requests, self::requests(), 'PHP is not asked.');
    }

    public function testHitsAreWhatHttpWants(): void
    {
        $uri = $this->news(str_repeat('long ', 300));
        $miss = $this->get($uri, ['Accept-Encoding' => 'gzip']);
        $plain = $this->get($uri);
        $requests = self::requests();
        $hit = $this->get($uri, ['Accept-Encoding' => 'gzip']);
        self::assertSame('gzip', $hit->headers['content-encoding'] ?? null);
        self::assertEquals(self::ofPage($miss), self::ofPage($hit));
        self::assertSame($miss->body, $hit->body);
        self::assertSame($plain->body, gzdecode($hit->body));
        self::assertSame('W/' . $hit->headers['etag'], $plain->headers['etag']);
        foreach ([$hit->headers['etag'], $plain->headers['etag']] as $etag) {
            foreach ([[], ['Accept-Encoding' => 'gzip']] as $encoding) {
                $same = $this->get($uri, ['If-None-Match' => $etag] + $encoding);
                self::assertSame([304, ''], [$same->status, $same->body]);
            }
        }
        self::assertSame(200, $this->get($uri, ['If-None-Match' => '"0-0"'])->status);
        $head = $this->get($uri, ['Accept-Encoding' => 'gzip'], 'HEAD');
        self::assertSame(
            ['larder; hit', (string) \strlen($hit->body), ''],
            [$head->headers['cache-status'], $head->headers['content-length'], $head->body],
        );
        self::assertSame($requests, self::requests(), 'PHP is not asked.');
        foreach ([['Cookie' => 'PHPSESSID=x'], ['Authorization' => 'Basic eDp5']] as $person) {
            self::assertStringStartsWith('larder; fwd=bypass', $this->get($uri, $person)->headers['cache-status']);
        }
        self::assertStringStartsWith('larder; fwd=bypass', $this->get($uri, [], 'POST')->headers['cache-status']);
    }

    public function testAnswersOfOtherStatusAreKeptUntilTheirRowAppears(): void
    {
        $id = ++self::$pages;
        foreach ([["/news/$id", 404], ["/old/$id", 301]] as [$uri, $status]) {
            self::assertSame('larder; fwd=miss; stored', $this->get($uri)->headers['cache-status'] ?? null);
            $hit = $this->get($uri, host: 1);
            self::assertSame([$status, 'larder; hit'], [$hit->status, $hit->headers['cache-status']]);
            self::assertSame((string) $id, $hit->headers['x-made-of'] ?? null);
        }
        self::assertStringEndsWith("/news/$id", $this->get("/old/$id")->headers['location']);
        $this->writer->exec("INSERT INTO news VALUES ($id, 'now')");
        self::assertSame([200, '<h1>now</h1>'], [$this->get("/news/$id")->status, $this->get("/news/$id")->body]);
    }

    public function testAChangeDropsItsPagesOnBothServersBeforeItIsVisible(): void
    {
        // So many that each server has some.
        $uris = array_map(fn(int $page): string => $this->news("page $page"), range(1, 12));
        foreach ($uris as $uri) {
            $this->get($uri);
        }
        foreach (self::kept() as $keys) {
            self::assertNotSame([], $keys);
        }
        $this->writer->exec("UPDATE news SET title = 'x' WHERE title = 'page 1' OR title LIKE 'page 1_'");
        $hits = [];
        foreach ($uris as $uri) {
            foreach ([1, 0] as $host) {
                $answer = $this->get($uri, host: $host);
                $hits[$answer->body][] = $answer->headers['cache-status'] === 'larder; hit';
            }
        }
        self::assertSame([false, true, false, true, false, true, false, true], $hits['<h1>x</h1>']);
        self::assertCount(9, $hits);
    }

    /** `%` is `%25` in memcached, for nginx and for PHP. */
    public function testAnEscapedPathIsOnePage(): void
    {
        $id = substr($this->news('ö'), 6);
        $uri = "/gr%C3%B6%C3%9Fe/$id";
        self::assertSame('larder; fwd=miss; stored', $this->get($uri)->headers['cache-status']);
        foreach ([$uri, $uri . '?utm_source=x'] as $same) {
            self::assertSame('larder; hit', $this->get($same, host: 1)->headers['cache-status']);
        }
        foreach ([str_repeat('%C3%B6', 32) . "/$id" => 'key', "news/$id/long" => 'head'] as $path => $what) {
            $long = $this->get('/' . $path);
            self::assertMatchesRegularExpression(
                "/^larder; fwd=miss; detail=\"its $what has \d+ bytes, more than \d+\"$/",
                $long->headers['cache-status'],
            );
            self::assertSame([200, '<h1>ö</h1>'], [$long->status, $long->body]);
        }
    }

    public function testAServerThatIsGoneIsAMissAndItsPagesCannotChangeAndThoseOfOthersCan(): void
    {
        $uris = [[], []];
        while (min(\count($uris[0]), \count($uris[1])) < 2) {
            $uri = $this->news('before');
            $this->get($uri);
            $uris[\in_array("larder/news$uri", self::kept()[0], true) ? 0 : 1][] = $uri;
        }
        $change = fn(string $uri) => $this->writer->exec(
            "UPDATE news SET title = 'after' WHERE id = " . substr($uri, 6),
        );
        self::$memcached[0]->pause();
        try {
            $miss = $this->get($uris[0][0]);
            self::assertSame([200, '<h1>before</h1>'], [$miss->status, $miss->body]);
            self::assertSame('larder; hit', $this->get($uris[1][0])->headers['cache-status']);
            try {
                $change($uris[0][0]);
                self::fail('The page may be served again when the server goes on.');
            } catch (Throwable $failed) {
                self::assertStringContainsString('failed to reach 127.0.0.1', self::words($failed));
            }
            $change($uris[1][0]);
        } finally {
            self::$memcached[0]->resume();
        }
        self::assertSame('<h1>after</h1>', $this->get($uris[1][0])->body);
        self::assertSame('<h1>before</h1>', $this->get($uris[0][0])->body);
        $change($uris[0][0]);
        self::assertSame('<h1>after</h1>', $this->get($uris[0][0])->body);

        self::$memcached[0]->kill();
        self::assertSame('<h1>before</h1>', $this->get($uris[0][1])->body);
        self::$memcached[0]->restart();
        self::assertSame('larder; fwd=miss; stored', $this->get($uris[0][1])->headers['cache-status']);
        self::assertSame('larder; hit', $this->get($uris[0][1], host: 1)->headers['cache-status']);
    }

    private function news(string $title): string
    {
        $id = ++self::$pages;
        $this->writer->prepare('INSERT INTO news VALUES (?, ?)')->execute([$id, $title]);

        return "/news/$id";
    }

    /** @param array<string, string> $headers */
    private function get(string $uri, array $headers = [], string $method = 'GET', int $host = 0): Response
    {
        $address = '127.0.0.1:' . self::$hosts[$host]->port;

        return Connection::ask($address, $method, $uri, $headers + ['Host' => 'localhost']);
    }

    /** @return array<string, string> */
    private static function ofPage(Response $response): array
    {
        $beside = ['date' => 0, 'cache-status' => 0, 'content-length' => 0, 'transfer-encoding' => 0];

        return array_diff_key($response->headers, $beside);
    }

    private static function requests(): int
    {
        return array_sum(array_map(static fn(RunningSite $host): int => $host->php->requests(), self::$hosts));
    }

    /** @return list<string> */
    private static function servers(): array
    {
        return array_map(static function (Memcached $server): string {
            $endpoint = $server->endpoint();

            return $endpoint->socket === null ? "127.0.0.1:$endpoint->port" : "unix:$endpoint->socket";
        }, self::$memcached);
    }

    /** @return list<list<string>> the keys of each server */
    private static function kept(): array
    {
        return array_map(static function (string $server): array {
            $socket = stream_socket_client(str_replace('unix:', 'unix://', $server));
            self::assertNotFalse($socket);
            fwrite($socket, "lru_crawler metadump all\r\n");
            $keys = [];
            while (($line = fgets($socket)) !== false && $line !== "END\r\n") {
                $keys[] = urldecode(substr(explode(' ', $line)[0], 4));
            }

            return $keys;
        }, self::servers());
    }

    private static function words(Throwable $failed): string
    {
        $before = $failed->getPrevious();

        return $failed->getMessage() . ($before === null ? '' : ' ' . self::words($before));
    }
}
