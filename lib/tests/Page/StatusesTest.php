<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Console\PageExplanation;
use Larder\Dependency\RecordingPdo;
use Larder\Page\FilePageStore;
use Larder\Page\MemcachedPageStore;
use Larder\Page\Miss;
use Larder\Page\NginxTemplates;
use Larder\Page\PagePath;
use Larder\Page\Pages;
use Larder\Page\RedirectPath;
use Larder\Page\Site;
use Larder\Page\StoreRules;
use Larder\Proof\Support\MovedSite;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** Answers of another status than 200, which nginx gives out of either store as PHP gave them. */
#[CoversClass(FilePageStore::class)]
#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(Miss::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PagePath::class)]
#[CoversClass(RedirectPath::class)]
#[CoversClass(StoreRules::class)]
final class StatusesTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        Larder\Proof\Support\MovedSite::answer(Larder\Proof\Support\MovedSite::site(%s, %s));
        PHP;

    private static TemporaryDirectory $directory;
    private static Memcached $memcached;

    /** @var array<string, Site> by store */
    private static array $sites;

    /** @var array<string, RunningSite> */
    private static array $running;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('larder-statuses');
        self::$memcached = new Memcached(self::$directory->path . '/mc', socket: true);
        $server = 'unix:' . self::$memcached->endpoint()->socket;
        foreach (['files' => [], 'memcached' => [$server]] as $name => $servers) {
            $home = self::$directory->path . '/' . $name;
            mkdir($home . '/data', recursive: true);
            $site = self::$sites[$name] = MovedSite::site($home, $servers);
            file_put_contents($home . '/front.php', \sprintf(self::FRONT, ...array_map(
                static fn(mixed $word): string => var_export($word, true),
                [\dirname(__DIR__, 3) . '/vendor/autoload.php', $home, $servers],
            )));
            $writer = self::writer($name);
            $writer->exec('PRAGMA journal_mode = WAL');
            $writer->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, slug TEXT, title TEXT)');
            $writer->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
            Pages::of($site)->deploy('r1');
            self::$running[$name] = RunningSite::start(
                $site,
                $home . '/run',
                $home . '/front.php',
                workers: 2,
                writable: [$home . '/data'],
            );
        }
    }

    public static function tearDownAfterClass(): void
    {
        array_walk(self::$running, static fn(RunningSite $site) => $site->stop());
        self::$memcached->stop();
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        foreach (array_keys(self::$sites) as $store) {
            $writer = self::writer($store);
            $writer->exec('DELETE FROM news');
            $writer->exec("INSERT INTO news (slug, title) VALUES ('here', 'Here'), ('far', 'https://example.org/a/')");
            Pages::of(self::$sites[$store])->ledger($writer)->flush();
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testNginxAnswersAsPhpDid(string $store): void
    {
        foreach ([
            ['/news/none', 404, '<h1>no none</h1>', null],
            ['/news/n%C3%B6', 404, '<h1>no n%C3%B6</h1>', null],
            ['/news/none?page=2', 404, '<h1>no none</h1>', null],
            ['/news/other?utm_source=x', 404, '<h1>no other</h1>', null],
            ['/later/none', 404, '<h1>no none</h1>', null],
            ['/timed/none', 404, '<h1>no none</h1>', null],
            ['/none', 404, '<h1>no </h1>', null],
            ['/gone/here', 410, '<h1>no here</h1>', null],
            ['/old/here', 301, '', '/news/here?from=Here'],
            ['/away/far', 308, $store === 'files' ? '' : 'It is elsewhere.', 'https://example.org/a/'],
        ] as [$uri, $status, $body, $location]) {
            $miss = $this->get($store, $uri);
            self::assertSame($status, $miss->status, $uri);
            self::assertSame('larder; fwd=miss; stored', $miss->header('cache-status'), $uri);
            $requests = self::$running[$store]->php->requests();
            $hit = $this->get($store, $uri);
            self::assertSame([$status, 'larder; hit'], [$hit->status, $hit->header('cache-status')], $uri);
            self::assertSame($body, $hit->body, $uri);
            self::assertSame($miss->body, $hit->body, $uri);
            self::assertSame($location, $hit->header('location'), $uri);
            // nginx does not know how long a page is that it decompresses.
            $beside = ['date' => 0, 'cache-status' => 0, 'content-length' => 0, 'transfer-encoding' => 0];
            self::assertEquals(
                array_diff_key($miss->headers, $beside),
                array_diff_key($hit->headers, $beside),
                $uri,
            );
            self::assertSame('DENY', $hit->header('x-frame-options'));
            $small = $this->get($store, $uri, ['Accept-Encoding' => 'gzip']);
            $isSmall = $small->header('content-encoding') === 'gzip';
            self::assertSame($body, $isSmall ? gzdecode($small->body) : $small->body, $uri);
            $head = $this->get($store, $uri, [], 'HEAD');
            self::assertSame([$status, 'larder; hit', ''], [
                $head->status,
                $head->header('cache-status'),
                $head->body,
            ], $uri);
            self::assertSame($requests, self::$running[$store]->php->requests(), $uri);
            foreach ([['POST', []], ['PUT', []], ['GET', ['Cookie' => 'PHPSESSID=x']]] as [$method, $headers]) {
                $other = $this->get($store, $uri, $headers, $method);
                self::assertSame($status, $other->status, "$method $uri");
                self::assertStringStartsWith('larder; fwd=bypass', (string) $other->header('cache-status'));
            }
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testTheRowThatWasLookedForEndsIt(string $store): void
    {
        foreach (['/news/soon', '/news/never', '/old/soon', '/later/soon', '/old/here'] as $uri) {
            $this->get($store, $uri);
            self::assertSame('larder; hit', $this->get($store, $uri)->header('cache-status'), $uri);
        }
        $writer = self::writer($store);
        $writer->exec("INSERT INTO news (slug, title) VALUES ('soon', 'Now')");
        $this->assertAnswer($store, '/news/never', 404, 'hit', null);
        $explained = (new PageExplanation(self::$sites[$store], Pages::of(self::$sites[$store])->ledger($writer)))
            ->of('/news/never');
        self::assertStringContainsString('news?slug=never', implode("\n", $explained->lines));
        foreach (['fwd=miss; stored', 'hit'] as $status) {
            $this->assertAnswer($store, '/news/soon', 200, $status, null);
            $this->assertAnswer($store, '/later/soon', 200, $status, null);
            $this->assertAnswer($store, '/old/soon', 301, $status, '/news/soon?from=Now');
        }
        $this->assertAnswer($store, '/old/here', 301, 'hit', '/news/here?from=Here');
        $writer->exec("UPDATE news SET title = 'New' WHERE slug = 'here'");
        foreach (['fwd=miss; stored', 'hit'] as $status) {
            $this->assertAnswer($store, '/old/here', 301, $status, '/news/here?from=New');
        }
        $writer->exec("DELETE FROM news WHERE slug = 'here'");
        foreach (['fwd=miss; stored', 'hit'] as $status) {
            $this->assertAnswer($store, '/old/here', 404, $status, null);
        }
    }

    #[TestWith(['files'])]
    #[TestWith(['memcached'])]
    public function testAFlushEndsAllAndNobodyAsksForThemByTheirKeys(string $store): void
    {
        $uris = ['/news/none', '/gone/here', '/old/here', '/away/far'];
        array_walk($uris, fn(string $uri) => $this->get($store, $uri));
        foreach (['/@status404/news/none', '/@status301/old/here', '/@status404/news/none~page', '/to/'] as $uri) {
            self::assertNotSame('larder; hit', $this->get($store, $uri)->header('cache-status'), $uri);
        }
        Pages::of(self::$sites[$store])->ledger(self::writer($store))->flush();
        foreach ($uris as $uri) {
            self::assertSame('larder; fwd=miss; stored', $this->get($store, $uri)->header('cache-status'), $uri);
        }
    }

    /** Where its link ends is all that nginx knows of a redirect. */
    public function testALocationThatIsNoPathIsNotKeptInFiles(): void
    {
        $long = '/' . str_repeat('a', 255);
        foreach (['//example.org/', '/a//b', '/a/../b', '../b', '/a b', $long, 'ftp://a/'] as $to) {
            self::writer('files')->exec("UPDATE news SET title = '$to' WHERE slug = 'far'");
            $answer = $this->get('files', '/away/far');
            self::assertSame([308, $to], [$answer->status, $answer->header('location')]);
            self::assertStringContainsString('the Location', (string) $answer->header('cache-status'), $to);
        }
        $others = ['/a?b=c&d="$x"', 'http://example.org', 'https://example.org:8/a?b#c'];
        foreach (['/', '/a', '/a/', '/a=b/c=', ...$others] as $to) {
            self::assertNull(RedirectPath::objection($to), $to);
            self::assertSame($to, RedirectPath::location(RedirectPath::of($to)));
            self::writer('files')->exec("UPDATE news SET title = '$to' WHERE slug = 'far'");
            $this->assertAnswer('files', '/away/far', 308, 'fwd=miss; stored', $to);
            $this->assertAnswer('files', '/away/far', 308, 'hit', $to);
        }
    }

    private function assertAnswer(string $store, string $uri, int $status, string $cache, ?string $location): void
    {
        $answer = $this->get($store, $uri);
        self::assertSame(
            [$status, 'larder; ' . $cache, $location],
            [$answer->status, $answer->header('cache-status'), $answer->header('location')],
            $uri,
        );
    }

    /** @param array<string, string> $headers */
    private function get(string $store, string $uri, array $headers = [], string $method = 'GET'): Response
    {
        return Connection::ask(
            '127.0.0.1:' . self::$running[$store]->port,
            $method,
            $uri,
            $headers + ['Host' => 'localhost'],
        );
    }

    private static function writer(string $store): RecordingPdo
    {
        $writer = Pages::of(self::$sites[$store])->connect();
        \assert($writer instanceof RecordingPdo);

        return $writer;
    }
}
