<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\FilePageStore;
use Larder\Page\Limits;
use Larder\Page\Miss;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\StaleAreas;
use Larder\Page\StaleFiles;
use Larder\Page\StaleSpan;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** Changed pages that are served for a while, on nginx and php-fpm. `/now` has none of it, and is the control. */
#[CoversClass(FilePageStore::class)]
#[CoversClass(Miss::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(StaleAreas::class)]
#[CoversClass(StaleFiles::class)]
#[CoversClass(StaleSpan::class)]
final class StalePagesTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\StalePagesTest::site(
            getenv('STALE_HOME'),
            (int) getenv('STALE_SECONDS'),
            array_values(array_filter(explode(' ', getenv('STALE_MEMCACHED')))),
        );
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            Larder\Tests\Support\NewsController::class,
            fn() => Larder\Tests\Page\StalePagesTest::show($database, getenv('STALE_HOME'), $_SERVER['REQUEST_URI']),
        );
        PHP;

    private const STALE = 'larder; hit; detail=stale';
    private const DOWN = 'larder; fwd=miss; detail="no answer from PHP"';

    private TemporaryDirectory $directory;

    /** @var list<Memcached> */
    private array $memcached = [];

    /** @var list<string> of these */
    private array $addresses = [];
    private RunningSite $servers;
    private Site $site;
    private RecordingPdo $writer;

    protected function tearDown(): void
    {
        @touch($this->directory->path . '/go');
        $this->servers->stop();
        foreach ($this->memcached as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    /** @param list<string> $memcached */
    public static function site(string $home, int $seconds, array $memcached = []): Site
    {
        return new Site(
            name: 'stale',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static fn(): RecordingPdo => new RecordingPdo(
                'sqlite:' . $home . '/data/site.sqlite',
                logger: new NullLogger(),
            ),
            urls: new Urls(
                areas: [new Area('/', stale: $seconds), new Area('/now')],
                queries: [new Query('/list', ['page' => '[1-9]'])],
            ),
            limits: new Limits(waitMilliseconds: 10_000),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, patience: 2_000),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
        );
    }

    /** Notes that it runs. Then it waits while the file `held` is there, but not for ever. */
    public static function show(RecordingPdo $database, string $home, string $uri): void
    {
        file_put_contents($home . '/data/renders', $uri . "\n", FILE_APPEND);
        for ($look = 0; $look < 2000 && is_file($home . '/data/held'); ++$look) {
            usleep(5000);
            clearstatcache();
        }
        header('Content-Type: text/html; charset=utf-8');
        $title = $database->query('SELECT title FROM news WHERE id = 4')->fetchColumn();
        if ($title === 'private') {
            header('Cache-Control: private');
        }
        echo $uri, ' ', $title;
    }

    #[TestWith([0])]
    #[TestWith([2])]
    public function testOneMakesTheChangedPageAndAllOthersAreServedTheOldOne(int $memcached): void
    {
        $this->start(600, $memcached);
        foreach (['/news/4', '/list?page=2', '/caf%C3%A9', '/', '/now/4'] as $uri) {
            self::assertSame('larder; fwd=miss; stored', $this->get($uri)->header('Cache-Status'), $uri);
            $old = $this->get($uri);
            self::assertSame('larder; hit', $old->header('Cache-Status'), $uri);
            touch($this->directory->path . '/data/held');
            $this->change($uri . '2');
            $this->forgetRenders();
            $sockets = array_map(fn(): mixed => $this->send($uri), range(1, 20));
            if ($uri !== '/now/4') {
                $answers = $this->answers($sockets, 19);
                foreach ($answers as $answer) {
                    self::assertSame(
                        [200, self::STALE, $old->body, $old->header('ETag'), $old->header('Vary')],
                        [
                            $answer->status,
                            $answer->header('Cache-Status'),
                            $answer->body,
                            $answer->header('ETag'),
                            $answer->header('Vary'),
                        ],
                    );
                }
                $requests = $this->servers->php->requests();
                self::assertSame(304, $this->get($uri, ['If-None-Match' => (string) $old->header('ETag')])->status);
                $small = $this->get($uri, ['Accept-Encoding' => 'gzip']);
                self::assertSame([$old->body, self::STALE], [gzdecode($small->body), $small->header('Cache-Status')]);
                self::assertSame(0, $this->servers->php->requests() - $requests, 'PHP is not asked.');
            }
            unlink($this->directory->path . '/data/held');
            $new = $this->answers($sockets, \count($sockets));
            foreach ($new as $answer) {
                self::assertSame("$uri {$uri}2", $answer->body);
            }
            self::assertCount($uri === '/now/4' ? 20 : 1, $new);
            self::assertSame([$uri], $this->renders());
            self::assertSame('larder; hit', $this->get($uri)->header('Cache-Status'));
        }
    }

    /** Who made it has an answer, but no page. The others are not left with the old one for that. */
    public function testAPageThatIsNotStoredAnyMoreIsMadeForEach(): void
    {
        $this->start(600);
        $this->get('/news/4');
        $this->change('private');
        foreach (range(1, 3) as $time) {
            $answer = $this->get('/news/4');
            self::assertSame('/news/4 private', $answer->body);
            self::assertStringStartsWith('larder; fwd=miss; detail=', (string) $answer->header('Cache-Status'));
        }
        $this->servers->php->kill();
        self::assertSame(self::STALE, $this->get('/news/4')->header('Cache-Status'));
        Pages::of($this->site)->ledger()->flush();
        self::assertSame(503, $this->get('/news/4')->status);
    }

    public function testADeployGoesOnWithThePagesOfBefore(): void
    {
        $this->start(600);
        foreach (['/news/4', '/news/5', '/now/4'] as $uri) {
            $this->get($uri);
        }
        Pages::of($this->site)->deploy('r2');
        touch($this->directory->path . '/data/held');
        $this->forgetRenders();
        $sockets = array_map(fn(): mixed => $this->send('/news/4'), range(1, 20));
        foreach ($this->answers($sockets, 19) as $answer) {
            self::assertSame([self::STALE, '/news/4 old'], [$answer->header('Cache-Status'), $answer->body]);
        }
        unlink($this->directory->path . '/data/held');
        self::assertSame('larder; fwd=miss; stored', $this->answers($sockets, 1)[0]->header('Cache-Status'));
        self::assertSame(['/news/4'], $this->renders());
        $this->servers->php->kill();
        self::assertSame('larder; hit', $this->get('/news/4')->header('Cache-Status'));
        self::assertSame(self::STALE, $this->get('/news/5')->header('Cache-Status'));
        self::assertSame(503, $this->get('/now/4')->status);
    }

    public function testTheBoundHoldsWithoutPhp(): void
    {
        $this->start(6);
        $this->get('/news/4');
        $this->get('/now/4');
        $this->servers->php->kill();
        $this->change('new');
        $end = $this->end();
        self::assertLessThanOrEqual($this->bucket() + 6, $end);

        $seen = $this->countUntil($end + 3);
        self::assertSame(0, $seen['late']);
        self::assertSame(0, $seen['control']);
        self::assertGreaterThan(0, $seen['stale']);
        self::assertGreaterThan(0, $seen['gone']);
    }

    /** The server says how many seconds an item has left. */
    public function testTheBoundHoldsWithoutPhpOnMemcached(): void
    {
        $this->start(3, 2);
        $this->get('/news/4');
        $this->get('/now/4');
        self::assertSame('larder; hit', $this->get('/news/4')->header('Cache-Status'));
        $this->servers->php->kill();
        $this->change('new');
        $seen = ['stale' => 0, 'gone' => 0];
        while ($seen['gone'] < 20) {
            $before = $this->left('larder/stale~w/news/4');
            $answer = $this->get('/news/4');
            $after = $this->left('larder/stale~w/news/4');
            self::assertLessThanOrEqual(3, max($before, $after));
            self::assertSame(503, $this->get('/now/4')->status);
            // Of an answer at the very border nobody can tell.
            if (($before > 0) === ($after > 0)) {
                ++$seen[$before > 0 ? 'stale' : 'gone'];
                self::assertSame($before > 0 ? [200, self::STALE] : [503, self::DOWN], [
                    $answer->status,
                    $answer->header('Cache-Status'),
                ]);
            }
        }
        self::assertGreaterThan(0, $seen['stale']);
    }

    /** A writer that does not bound them: the count finds what it serves. */
    public function testTheCountFindsAPageThatIsServedTooLong(): void
    {
        $this->start(2);
        $this->get('/news/4');
        $this->servers->php->kill();
        $this->change('new');
        $end = $this->end();
        foreach (range(0, 3) as $more) {
            $bucket = $this->site->pages . '/stale/2/' . ($end + $more);
            mkdir($bucket);
            symlink('../../d/' . $end . '-2', $bucket . '/0');
        }

        self::assertGreaterThan(0, $this->countUntil($end + 3)['late']);
    }

    /** @return array{stale: int, late: int, gone: int, control: int} answers by the bucket that nginx tells */
    private function countUntil(int $last): array
    {
        $seen = ['stale' => 0, 'late' => 0, 'gone' => 0, 'control' => 0];
        $end = $this->end();
        while (($before = $this->bucket()) < $last) {
            usleep(5000);
            $answer = $this->get('/news/4');
            $control = $this->get('/now/4');
            self::assertContains($answer->status, [200, 503]);
            $isStale = $answer->status === 200;
            $isIn = $this->bucket() < $end;
            $seen['control'] += $control->status === 200 ? 1 : 0;
            // Of an answer at the very border nobody can tell.
            if ($isIn || $before >= $end) {
                $seen[$isStale ? ($isIn ? 'stale' : 'late') : 'gone'] += 1;
                self::assertSame($isStale ? self::STALE : self::DOWN, $answer->header('Cache-Status'));
            }
        }

        return $seen;
    }

    /** @param int $memcached number of servers; 0: pages are files */
    private function start(int $seconds, int $memcached = 0): void
    {
        $this->directory = new TemporaryDirectory('larder-stale');
        $home = $this->directory->path;
        mkdir($home . '/data');
        for ($number = 0; $number < $memcached; ++$number) {
            $this->memcached[] = new Memcached("$home/mc$number", socket: true);
        }
        $this->addresses = array_map(
            static fn(Memcached $server): string => 'unix:' . $server->endpoint()->socket,
            $this->memcached,
        );
        $this->site = self::site($home, $seconds, $this->addresses);
        $writer = Pages::of($this->site)->connect();
        \assert($writer instanceof RecordingPdo);
        $writer->exec('PRAGMA journal_mode = WAL');
        $writer->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $writer->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $writer->exec("INSERT INTO news VALUES (4, 'old')");
        $this->writer = $writer;
        Pages::of($this->site)->deploy('r1');
        $front = $home . '/front.php';
        file_put_contents(
            $front,
            \sprintf(self::FRONT, var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true)),
        );
        $this->servers = RunningSite::start(
            $this->site,
            $home . '/run',
            $front,
            workers: 4,
            environment: [
                'STALE_HOME' => $home,
                'STALE_SECONDS' => (string) $seconds,
                'STALE_MEMCACHED' => implode(' ', $this->addresses),
            ],
            writable: [$home, $home . '/data'],
            more: static fn(): string => "server {\n    listen unix:$home/run/bucket.sock;\n"
                . "    return 200 \"\$larder_stale_span_$seconds\";\n}\n",
        );
    }

    /** The bucket of now, as nginx has it. */
    private function bucket(): int
    {
        $answer = Exchange::with(
            'unix://' . $this->directory->path . '/run/bucket.sock',
            "GET / HTTP/1.0\r\n\r\n",
            null,
        );

        return (int) substr((string) $answer, (int) strpos((string) $answer, "\r\n\r\n"));
    }

    /** When nginx stops to find the page that was changed last. */
    private function end(): int
    {
        return max(array_map(intval(...), (array) scandir($this->site->pages . '/stale/d')) + [0]);
    }

    /** @return int seconds that an item has left; 0: it is not there */
    private function left(string $key): int
    {
        $seconds = 0;
        foreach ($this->addresses as $address) {
            $answer = Exchange::with(str_replace(':', '://', $address), "mg $key t\r\nmn\r\n", "MN\r\n");
            $found = preg_match('/^HD t(-?\d+)/', (string) $answer, $match) === 1;
            $seconds = $found ? ((int) $match[1] < 0 ? PHP_INT_MAX : max(1, (int) $match[1])) : $seconds;
        }

        return $seconds;
    }

    private function change(string $title): void
    {
        $this->writer->prepare('UPDATE news SET title = ? WHERE id = 4')->execute([$title]);
    }

    private function forgetRenders(): void
    {
        file_put_contents($this->directory->path . '/data/renders', '');
    }

    /** @return list<string> */
    private function renders(): array
    {
        $lines = (string) file_get_contents($this->directory->path . '/data/renders');

        return $lines === '' ? [] : explode("\n", rtrim($lines));
    }

    /** @param array<string, string> $headers */
    private function get(string $uri, array $headers = []): Response
    {
        return Connection::ask('127.0.0.1:' . $this->servers->port, 'GET', $uri, ['Host' => 'localhost'] + $headers);
    }

    /** @return resource */
    private function send(string $uri): mixed
    {
        $socket = stream_socket_client('tcp://127.0.0.1:' . $this->servers->port);
        self::assertNotFalse($socket);
        fwrite($socket, "GET $uri HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        return $socket;
    }

    /**
     * Reads whole answers from as many of the sockets, whichever have them first, and takes these out.
     *
     * @param array<int, resource> $sockets
     *
     * @return list<Response>
     */
    private function answers(array &$sockets, int $count): array
    {
        $answers = [];
        while (\count($answers) < $count) {
            $ready = $sockets;
            $none = null;
            self::assertGreaterThan(0, stream_select($ready, $none, $none, 10), \count($answers) . ' answers');
            foreach ($ready as $number => $socket) {
                $answers[] = Response::parse((string) stream_get_contents($socket));
                unset($sockets[$number]);
            }
        }

        return $answers;
    }
}
