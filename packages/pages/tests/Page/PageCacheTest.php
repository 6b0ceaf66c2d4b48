<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use DateTimeImmutable;
use FilesystemIterator;
use Larder\Page\Attribute\Reads;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\Exception\UndeclaredRead;
use Larder\Page\FilePageStore;
use Larder\Page\Lease\FileLeases;
use Larder\Page\PageCache;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Policy;
use Larder\Page\Refusals;
use Larder\Page\Release;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Page\StoreRules;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RowChange;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use Larder\Tests\Support\QuickController;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Clock\ClockInterface;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use RuntimeException;
use SplFileInfo;
use Symfony\Component\Process\Process;

#[CoversClass(PageCache::class)]
#[CoversClass(Renderer::class)]
#[CoversClass(StoreRules::class)]
#[CoversClass(FilePageStore::class)]
#[CoversClass(Refusals::class)]
final class PageCacheTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testStoresAPageWithItsTwinAndAnswersAsNginxWill(): void
    {
        $answer = $this->news->get('/news/4');
        $file = $this->news->site->pages . '/current/news/4~page';

        self::assertStringEqualsFile($file, $answer->body);
        self::assertSame($answer->body, gzdecode((string) file_get_contents($file . '.gz')));
        self::assertSame(\sprintf('"%x-%x"', (int) filemtime($file), \strlen($answer->body)), $answer->header('etag'));
        self::assertSame('Accept-Encoding', $answer->header('vary'));
        self::assertSame('no-cache', $answer->header('cache-control'));
        self::assertSame('larder; fwd=miss; stored', $answer->header('cache-status'));
        self::assertSame(
            [],
            $this->news->directory->files('pages/draft'),
        );
    }

    public function testThePageThatAnotherStoredMeanwhileIsServed(): void
    {
        $first = $this->news->get('/news/4', gzip: true);
        $second = $this->news->get('/news/4', static fn(): Response => self::fail('Rendered again.'), gzip: true);

        self::assertSame('larder; hit', $second->header('cache-status'));
        self::assertSame(
            [$first->body, $first->header('etag'), 'gzip'],
            [$second->body, $second->header('etag'), $second->header('content-encoding')],
        );
    }

    public function testAChangeBetweenReadAndStoreIsNotStored(): void
    {
        $other = $this->news->connect();
        $answer = $this->news->get('/news/4', function () use ($other): Response {
            $answer = $this->news->item(4);
            $this->news->ledger(database: $other)->transaction(
                static fn() => $other->exec("UPDATE news SET title = 'new' WHERE id = 4"),
            );

            return $answer;
        });

        self::assertStringContainsString('four', $answer->body);
        self::assertSame('larder; fwd=miss; detail="changed meanwhile"', $answer->header('cache-status'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame([], $this->news->directory->files('pages/draft'));
    }

    public function testAnEditWithinOneSecondAndOfEqualLengthChangesTheEtag(): void
    {
        $before = $this->news->get('/news/4');
        $this->news->ledger(database: $this->news->database)->transaction(
            fn() => $this->news->database->exec("UPDATE news SET title = 'FOUR' WHERE id = 4"),
        );
        $after = $this->news->get('/news/4');

        self::assertSame(\strlen($before->body), \strlen($after->body));
        self::assertNotSame($before->header('etag'), $after->header('etag'));
    }

    /** @return iterable<string, array{Closure(NewsSite): Response, string}> */
    public static function refused(): iterable
    {
        $html = NewsSite::html('page');
        yield 'status' => [static fn() => new Response(403, $html->headers, 'x'), 'status 403 is not 200'];
        yield 'empty body' => [static fn() => NewsSite::html(''), 'the body is empty'];
        yield 'too large' => [
            static fn() => NewsSite::html(str_repeat('x', (2 << 20) + 1)),
            'the body has 2097153 bytes, more than 2097152',
        ];
        yield 'cookie' => [static fn() => $html->with('set-cookie', 'a=b'), 'the answer sets a cookie'];
        yield 'private' => [
            static fn() => $html->with('cache-control', 'Private, max-age=1'),
            'Cache-Control forbids it: Private, max-age=1',
        ];
        yield 'no-store' => [
            static fn() => $html->with('cache-control', 'no-store'),
            'Cache-Control forbids it: no-store',
        ];
        yield 'another Cache-Control' => [
            static fn() => $html->with('cache-control', 'max-age=60'),
            'nginx cannot repeat the header cache-control',
        ];
        yield 'content type' => [
            static fn() => $html->with('content-type', 'text/plain'),
            'Content-Type is \"text/plain\" but area / has \"text/html; charset=utf-8\"',
        ];
        yield 'a header of its own' => [
            static fn() => $html->with('link', '</a>'),
            'nginx cannot repeat the header link',
        ];
        yield 'vary' => [static fn() => $html->with('vary', 'Cookie'), 'nginx cannot repeat the header vary'];
        yield 'undeclared table' => [
            static function (NewsSite $news): Response {
                $news->database->exec('SELECT 1 FROM larder_slot');

                return NewsSite::html('x');
            },
            'a statement reads larder_slot, which the registry does not declare',
        ];
        yield 'a write' => [
            static function (NewsSite $news): Response {
                $news->database->exec("UPDATE news SET title = 'seen' WHERE id = 4");

                return NewsSite::html('x');
            },
            'a statement writes',
        ];
        yield 'the clock' => [
            static function (NewsSite $news): Response {
                $news->database->query('SELECT CURRENT_TIMESTAMP');

                return NewsSite::html('x');
            },
            'a statement asks for the time',
        ];
    }

    /** @param Closure(NewsSite): Response $make */
    #[DataProvider('refused')]
    public function testSendsWithoutStoring(Closure $make, string $reason): void
    {
        $rendered = null;
        $answer = $this->news->get('/news/4', function () use ($make, &$rendered): Response {
            return $rendered = $make($this->news);
        });

        self::assertInstanceOf(Response::class, $rendered);
        self::assertSame([$rendered->status, $rendered->body], [$answer->status, $answer->body]);
        self::assertStringContainsString($reason, (string) $answer->header('cache-status'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame([], $this->news->directory->files('pages/draft'));
        self::assertStringContainsString(
            stripslashes($reason),
            (new Refusals($this->news->site->pages . '/refused'))->of('/news/4')['reason'] ?? '',
        );
    }

    public function testARefusedPageIsLoggedWithItsReason(): void
    {
        $log = new TestLog();
        $this->news->get('/news/4', static fn(): Response => NewsSite::html(''), cache: $this->news->cache($log));

        self::assertSame(
            ['warning: The page /news/4 of ' . NewsController::class . ' is not stored: the body is empty.'],
            $log->lines(),
        );
    }

    public function testStrictModeFailsTheBuild(): void
    {
        $this->expectException(UndeclaredRead::class);

        $this->news->get(
            '/news/4',
            static fn(): Response => NewsSite::html(''),
            cache: $this->news->cache(strict: true),
        );
    }

    public function testAnExceptionOfTheApplicationPassesThroughAndFreesTheLease(): void
    {
        try {
            $this->news->get('/news/4', static fn(): never => throw new RuntimeException('mine'));
            self::fail('No exception.');
        } catch (RuntimeException $exception) {
            self::assertSame('mine', $exception->getMessage());
        }

        self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4')->header('cache-status'));
    }

    /** @return iterable<string, array{PageRequest, class-string|null, string}> */
    public static function bypasses(): iterable
    {
        yield 'no key' => [
            new PageRequest('GET', '', false),
            NewsController::class,
            'not a request whose page could be stored',
        ];
        yield 'HEAD' => [
            new PageRequest('HEAD', '/news/4', false),
            NewsController::class,
            'not a request whose page could be stored',
        ];
        yield 'POST' => [
            new PageRequest('POST', '/news/4', false),
            NewsController::class,
            'not a request whose page could be stored',
        ];
        foreach ([
            '/news/%34',
            '/news//4',
            '/news/../4',
            '/news/4;a',
            '/news/.4',
            '/a?b=c',
            '/list?page=100',
            '/news/4~page',
            'news/4',
            "/news/4\n",
            '/' . str_repeat('a', 200),
            '/@2026/news/4',
            '/quick/4',
        ] as $uri) {
            yield 'URI ' . json_encode($uri) => [
                new PageRequest('GET', $uri, false),
                NewsController::class,
                'not a canonical URI',
            ];
        }
        yield 'no controller' => [new PageRequest('GET', '/news/4', false), null, 'no controller is known'];
        yield 'no declaration' => [new PageRequest('GET', '/news/4', false), self::class, 'declares no #[Reads]'];
        yield 'the area has another ttl' => [
            new PageRequest('GET', '/@2026/quick/4', false),
            NewsController::class,
            'differ in ttl',
        ];
    }

    /** @param class-string|null $controller */
    #[DataProvider('bypasses')]
    public function testBypassesAndSaysWhy(PageRequest $request, ?string $controller, string $reason): void
    {
        $answer = $this->news->cache()->answer($request, $controller, static fn(): Response => NewsSite::html('x'));

        self::assertSame('x', $answer->body);
        self::assertStringStartsWith('larder; fwd=bypass; detail="', (string) $answer->header('cache-status'));
        self::assertStringContainsString($reason, (string) $answer->header('cache-status'));
        self::assertSame([], $this->news->directory->files('pages/current/'));
    }

    public function testAListThatDoesNotMatchTheCodeTurnsPageCachingOff(): void
    {
        $list = $this->news->site->list;
        $other = str_replace('QuickController', 'QuackController', (string) file_get_contents($list));
        file_put_contents($list, $other);
        $log = new TestLog();
        $answer = $this->news->get('/news/4', cache: $this->news->cache($log));

        self::assertStringContainsString(
            'the list of controllers differs from the code in Larder\\\\Tests\\\\Support\\\\QuickController',
            (string) $answer->header('cache-status'),
        );
        self::assertStringContainsString('Page caching is off', implode($log->lines()));
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testWithoutADeploymentNothingIsStored(): void
    {
        unlink($this->news->site->list);

        self::assertStringContainsString(
            'no release is deployed',
            (string) $this->news->get('/news/4')->header('cache-status'),
        );
    }

    public function testALeaseThatCannotBeTakenIsNoWaitAndSaysWhy(): void
    {
        $log = new TestLog();
        file_put_contents($this->news->site->pages . '/lease', 'no directory');
        $answer = $this->news->get('/news/4', cache: $this->news->cache($log));

        self::assertSame('item [{"title":"four"}]', $answer->body);
        self::assertSame(
            'larder; fwd=miss; detail="the page store failed: No such file or directory; the log says more"',
            $answer->header('cache-status'),
        );
        self::assertStringContainsString($this->news->site->pages . '/lease/guard', implode("\n", $log->lines()));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertArrayNotHasKey(
            'larder_page_requests_total{result="wait_in_vain"}',
            Pages::of($this->news->site)->counters()->all(),
        );
    }

    public function testWaitsForAnotherRendererABoundedTimeThenRendersWithoutStoring(): void
    {
        $lease = (new FileLeases($this->news->site->pages . '/lease', 10))->acquire('/news/4');
        self::assertNotNull($lease);
        $before = hrtime(true);
        $answer = $this->news->get('/news/4');
        $waited = (hrtime(true) - $before) / 1e6;
        $lease->release();

        self::assertSame(
            'larder; fwd=miss; detail="another process is rendering this page"',
            $answer->header('cache-status'),
        );
        self::assertStringContainsString('four', $answer->body);
        self::assertGreaterThanOrEqual(200, $waited);
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testAPageThatWasJustRefusedDoesNotQueue(): void
    {
        $this->news->get('/news/4', static fn(): Response => NewsSite::html(''));
        $lease = (new FileLeases($this->news->site->pages . '/lease', 10))->acquire('/news/4');
        $answer = $this->news->get('/news/4', static fn(): Response => NewsSite::html(''));
        $lease?->release();

        self::assertStringContainsString('the body is empty', (string) $answer->header('cache-status'));
    }

    public function testAFailingPageStoreIsAMissLoggedOnce(): void
    {
        $log = new TestLog();
        $cache = $this->news->cache($log);
        exec('rm -rf ' . escapeshellarg($this->news->site->pages . '/draft'));
        file_put_contents($this->news->site->pages . '/draft', 'in the way');
        $answer = $this->news->get('/news/4', cache: $cache);

        self::assertStringContainsString('four', $answer->body);
        self::assertCount(1, $log->lines());
        self::assertStringStartsWith('error: ', $log->lines()[0]);
        self::assertSame(
            'larder; fwd=miss; detail="the page store failed: File exists; the log says more"',
            $answer->header('cache-status'),
            'without a path',
        );
    }

    public function testAPageIsOfTheReleaseThatItsTemplatesWereCompiledFor(): void
    {
        // Where the templates of a request are, before another process deploys.
        self::assertSame('r1', Pages::of($this->news->site)->release()?->id);
        Pages::of(NewsSite::describe($this->news->directory->path))->deploy('r2');
        $answer = $this->news->get('/news/4');

        self::assertSame('larder; fwd=miss; detail="made by another release"', $answer->header('cache-status'));
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testHeaderLogAndExplainGiveOneReasonForAProcessOfAnotherRelease(): void
    {
        $this->news->ledger('r2')->deploy();
        $log = new TestLog();
        $answer = $this->news->get('/news/4', cache: $this->news->cache($log));

        self::assertSame('larder; fwd=miss; detail="made by another release"', $answer->header('cache-status'));
        self::assertSame(
            ['warning: The page /news/4 of ' . NewsController::class . ' is not stored: made by another release. Run '
                . 'larder deploy, then reload php-fpm.'],
            $log->lines(),
        );
        self::assertSame(
            'made by another release',
            (new Refusals($this->news->site->pages . '/refused'))->of('/news/4')['reason'] ?? '',
        );
    }

    public function testAControllerThatIsNotListedIsNamedInHeaderAndLog(): void
    {
        $log = new TestLog();
        $cache = $this->news->cache($log);
        $unlisted = new #[Reads('news')] class {};
        $answer = $cache->answer(new PageRequest('GET', '/news/4', false), $unlisted::class, static fn(): Response
            => NewsSite::html('page'));

        self::assertStringContainsString(
            'is not in the list of controllers: add it and run larder deploy',
            (string) $answer->header('cache-status'),
        );
        self::assertStringContainsString('Add it to Site::$controllers and run larder deploy.', implode($log->lines()));
        $cache->answer(new PageRequest('GET', '/news/4', false), self::class, static fn(): Response
            => NewsSite::html('page'));
        self::assertCount(1, $log->lines(), 'a controller without #[Reads] chose not to be cached');
    }

    public function testAFailingLedgerIsAMissLoggedOnce(): void
    {
        $log = new TestLog();
        $this->news->database->exec('DROP TABLE larder_ledger');
        $answer = $this->news->get('/news/4', cache: $this->news->cache($log));

        self::assertStringContainsString('four', $answer->body);
        self::assertCount(1, $log->lines());
        self::assertSame([], $this->news->directory->files('pages/draft'));
    }

    public function testATtlPageOutlivesAChangeAndIsNotRegisteredForIt(): void
    {
        $key = '/@2026-11-21T06:1+00:00/quick/4';
        self::assertSame('larder; fwd=miss; stored', $this->news->get($key)->header('cache-status'));
        $this->news->ledger(database: $this->news->database)->transaction(
            fn() => $this->news->database->exec("UPDATE news SET title = 'new' WHERE id = 4"),
        );

        self::assertTrue($this->news->stores($key));
        self::assertSame([], $this->news->ledger->index()->namesOf($key));
    }

    public function testARouteOverItsShareGivesUpItsOwnOldestPages(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 96 << 10, routeShare: 0.5);
        $this->news->get('/@2026/quick/a');
        for ($id = 1; $id <= 9; ++$id) {
            self::assertSame('larder; fwd=miss; stored', $this->news->get('/crawl/' . $id)->header('cache-status'));
        }

        $pages = array_filter(
            $this->news->directory->files('pages/r/r1'),
            static fn(string $file): bool => str_ends_with($file, '~page'),
        );
        self::assertSame(
            ['@2026/quick/a~page', 'crawl/6~page', 'crawl/7~page', 'crawl/8~page', 'crawl/9~page'],
            array_map(static fn(string $file): string => substr($file, \strlen('pages/r/r1/')), array_values($pages)),
        );
    }

    public function testDirectoriesGoWithTheirLastPage(): void
    {
        foreach (['/a/b/c/d', '/a/b/e', '/a/f/', '/@2026/quick/a'] as $key) {
            $this->news->get($key);
        }
        $this->news->ledger(database: $this->news->database)->transaction(
            static fn(RowChange $change) => $change->bulk('news'),
        );
        self::assertSame(['@2026', '@2026/quick'], $this->directories());
        $store = new FilePageStore($this->news->site->pages, 'r1');
        $inAnHour = self::inAnHour();
        $ledger = (new SqlLedger($this->news->database, $store, 'r1', clock: $inAnHour))->follow();
        $page = $this->news->site->urls->page('/@2027/quick/b');
        self::assertNotNull($page);
        (new Renderer($this->news->site, $ledger, $store, $this->news->registry, $inAnHour))
            ->render($page, QuickController::class, new Policy(['news'], 10), fn(): Response => $this->news->item(4));

        self::assertSame(['@2027', '@2027/quick'], $this->directories(), 'Those of a bucket that is over are gone.');
    }

    public function testADirectoryThatHasOnlyPagesOfTheChangeGoesWithThem(): void
    {
        for ($id = 1; $id <= 40; ++$id) {
            $this->news->get("/only/these/$id");
            $this->news->get("/more/$id");
        }
        $this->news->get('/more/stays', fn(): Response => $this->news->item(5));

        $this->news->ledger(database: $this->news->database)->transaction(
            fn() => $this->news->database->exec("UPDATE news SET title = 'new' WHERE id = 4"),
        );

        self::assertSame(['more'], $this->directories());
        self::assertTrue($this->news->stores('/more/stays'));
        self::assertFalse($this->news->stores('/more/40'));
        $aside = static fn(string $file): bool => str_starts_with($file, 'pages/aside/');
        self::assertCount(80, array_filter($this->news->directory->files(), $aside), 'The 40 pages and their twins.');
        (new FilePageStore($this->news->site->pages, 'r1'))->sweep(PHP_INT_MAX);
        self::assertSame([], array_filter($this->news->directory->files(), $aside));
        self::assertSame('larder; fwd=miss; stored', $this->news->get('/only/these/1')->header('cache-status'));
    }

    public function testPagesWhoseTimeIsOverMakeRoomForOthers(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 48 << 10, routeShare: 1);
        foreach (['/@2026/quick/a', '/news/1', '/news/2'] as $key) {
            $this->news->get($key);
        }
        $store = new FilePageStore($this->news->site->pages, 'r1');
        $inAnHour = self::inAnHour();
        $ledger = (new SqlLedger($this->news->database, $store, 'r1', clock: $inAnHour))->follow();
        $page = $this->news->site->urls->page('/news/3');
        self::assertNotNull($page);
        (new Renderer($this->news->site, $ledger, $store, $this->news->registry, $inAnHour))
            ->render($page, NewsController::class, new Policy(['news'], null), fn(): Response => $this->news->item(4));

        self::assertSame(['news'], $this->directories());
        self::assertTrue($this->news->stores('/news/1'));
        self::assertTrue($this->news->stores('/news/3'));
    }

    public function testARequestThatBypassesLoadsNothingOfAMiss(): void
    {
        $code = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            $site = Larder\Tests\Support\NewsSite::describe($argv[2]);
            $_SERVER['REQUEST_METHOD'] = 'GET';
            $_SERVER['LARDER_PAGE'] = $argv[3];
            Larder\Page\Pages::of($site)->plainFront(Larder\Page\Pages::of($site)->connect())
                ->run(Larder\Tests\Support\NewsController::class, static fn() => print '');
            echo json_encode(array_values(array_intersect(get_declared_classes(), [
                Larder\Sql\Ledger\SqlLedger::class, Larder\Page\FilePageStore::class, Larder\Page\Miss::class,
                Larder\Page\PageCache::class, Larder\Page\Release::class,
            ])));
            PHP;
        $loaded = function (string $key) use ($code): string {
            $run = new Process([
                PHP_BINARY, '-r', $code, '--', \dirname(__DIR__, 4), $this->news->directory->path, $key,
            ]);

            return $run->mustRun()->getOutput();
        };

        self::assertSame('["Larder\\\\Page\\\\PageCache"]', $loaded(''));
        self::assertStringContainsString('Miss', $loaded('/news/4'));
    }

    public function testPagesAndTheirDirectoriesTakeNoMoreThanTheCap(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 1 << 20, routeShare: 1);
        for ($id = 1; $id <= 40; ++$id) {
            $this->news->get('/deep-' . $id . str_repeat('/d', 13) . '/page');
        }
        $pages = array_filter(
            $this->news->directory->files('pages/r/r1'),
            static fn(string $file): bool => str_ends_with($file, '~page'),
        );

        self::assertGreaterThan(10, \count($pages));
        self::assertLessThanOrEqual((1 << 20) / 4096, 2 * \count($pages) + \count($this->directories()));
    }

    private static function inAnHour(): ClockInterface
    {
        return new class implements ClockInterface {
            public function now(): DateTimeImmutable
            {
                return new DateTimeImmutable('+1 hour');
            }
        };
    }

    /** @return list<string> below the release's, sorted */
    private function directories(): array
    {
        $root = $this->news->site->pages . '/r/r1';
        $found = [];
        $entries = new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS);
        foreach (new RecursiveIteratorIterator($entries, RecursiveIteratorIterator::SELF_FIRST) as $entry) {
            if ($entry instanceof SplFileInfo && $entry->isDir()) {
                $found[] = substr($entry->getPathname(), \strlen($root) + 1);
            }
        }
        sort($found);

        return $found;
    }

    public function testAPageLargerThanItsRoutesShareIsNotStored(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 64 << 10, routeShare: 0.5);
        $answer = $this->news->get('/news/4', static fn(): Response => NewsSite::html(random_bytes(40_000)));

        self::assertSame('larder; fwd=miss; detail="page store is full"', $answer->header('cache-status'));
    }

    public function testADeployTakesAllPagesOutOfServiceAtOnce(): void
    {
        $this->news->get('/news/4');
        Release::compile($this->news->site, 'r2', $this->news->registry)->save($this->news->site->list);
        $this->news->ledger('r2')->deploy();

        self::assertSame('r/r2', readlink($this->news->site->pages . '/current'));
        self::assertFalse($this->news->stores('/news/4'));
        $next = Pages::of(NewsSite::describe($this->news->directory->path))->pageCache($this->news->connect());
        self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4', cache: $next)->header('cache-status'));
    }

    public function testTheListSaysWhoseReadsAreTrusted(): void
    {
        $release = Release::compile($this->news->site, 'r2', $this->news->registry);
        $release->save($this->news->site->list);
        foreach ([$release, Release::load($this->news->site->list)] as $one) {
            self::assertTrue($one?->policyOf(NewsController::class)?->trust);
            self::assertFalse($one->policyOf(QuickController::class)?->trust);
        }
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('takes names of tables, and trust: true or false');
        new Reads('news', trusted: true);
    }
}
