<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Exception\NotMadeInTime;
use Larder\Metrics\MemoryCounters;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Part;
use Larder\Page\RefusalCause;
use Larder\Page\Release;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Page\Urls;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Recorder;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RecordingStatement;
use Larder\Sql\Tracker\Tracker;
use Larder\Sql\Tracker\TransactionState;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use Larder\Tests\Support\TestLog;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What is made although a statement failed is not stored, whoever catches the failure. */
#[CoversClass(RecordedReads::class)]
#[CoversClass(Recorder::class)]
#[CoversClass(RecordingPdo::class)]
#[CoversClass(RecordingStatement::class)]
#[CoversClass(Tracker::class)]
#[CoversClass(Schema::class)]
final class FailedStatementsTest extends TestCase
{
    /** It fails when it is run. */
    private const FAILS = 'SELECT title FROM news WHERE abs(-9223372036854775807 - 1) > 0';

    /** It fails at its second row. */
    private const FAILS_LATE = 'SELECT title, abs(CASE id WHEN 5 THEN -9223372036854775807 - 1 ELSE 1 END) FROM news'
        . ' ORDER BY id';

    /** It fails when it is prepared. */
    private const FAILS_EARLY = 'SELECT title FROM nowhere';

    private const REASON = 'a statement failed (SQLSTATE HY000)';

    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{Closure(RecordingPdo): mixed}> */
    public static function ways(): iterable
    {
        yield 'query' => [static fn(RecordingPdo $pdo): mixed => $pdo->query(self::FAILS)->fetch()];
        yield 'exec' => [static fn(RecordingPdo $pdo): mixed => $pdo->exec(self::FAILS)];
        yield 'exec, the second of a text' => [
            static fn(RecordingPdo $pdo): mixed => $pdo->exec('SELECT 1; ' . self::FAILS),
        ];
        yield 'select' => [static fn(RecordingPdo $pdo): mixed => $pdo->select(self::FAILS)];
        yield 'select, at a later row' => [static fn(RecordingPdo $pdo): mixed => $pdo->select(self::FAILS_LATE)];
        yield 'select of a name' => [
            static fn(RecordingPdo $pdo): mixed => $pdo->select(self::FAILS, [], $pdo->registry()->row('news', 4)),
        ];
        yield 'run' => [static fn(RecordingPdo $pdo): mixed => $pdo->run(self::FAILS)];
        yield 'prepare' => [static fn(RecordingPdo $pdo): mixed => $pdo->prepare(self::FAILS_EARLY)];
        yield 'execute' => [static fn(RecordingPdo $pdo): mixed => $pdo->prepare(self::FAILS)->execute()];
        yield 'execute with too few parameters' => [
            static fn(RecordingPdo $pdo): mixed => $pdo->prepare('SELECT title FROM news WHERE id = ?')
                ->execute([1, 2]),
        ];
        yield 'a second statement' => [static function (RecordingPdo $pdo): mixed {
            $pdo->query('SELECT title FROM news WHERE id = 4')->fetchAll();

            return $pdo->query(self::FAILS);
        }];
        yield 'a first statement, and a second try' => [static function (RecordingPdo $pdo): mixed {
            try {
                $pdo->query(self::FAILS);
            } catch (PDOException) {
            }

            return $pdo->query('SELECT title FROM news WHERE id = 4')->fetchAll();
        }];
        $fetching = [
            'fetch' => static fn(RecordingStatement $late): mixed => [$late->fetch(), $late->fetch()],
            'fetchAll' => static fn(RecordingStatement $late): mixed => $late->fetchAll(),
            'fetchAll of a column' => static fn(RecordingStatement $late): mixed => $late->fetchAll(PDO::FETCH_COLUMN),
            'fetchAll of pairs' => static fn(RecordingStatement $late): mixed => $late->fetchAll(PDO::FETCH_KEY_PAIR),
            'fetchColumn' => static fn(RecordingStatement $late): mixed
                => [$late->fetchColumn(), $late->fetchColumn()],
            'fetchObject' => static fn(RecordingStatement $late): mixed
                => [$late->fetchObject(), $late->fetchObject()],
            'foreach' => static function (RecordingStatement $late): void {
                foreach ($late as $row) {
                    self::assertIsArray($row);
                }
            },
            'the iterator' => static fn(RecordingStatement $late): mixed => iterator_to_array($late->getIterator()),
            'fetch into variables' => static function (RecordingStatement $late): void {
                $late->bindColumn(1, $title);
                while ($late->fetch(PDO::FETCH_BOUND)) {
                    self::assertSame('four', $title);
                }
            },
        ];
        foreach ($fetching as $how => $fetch) {
            yield "$how, at a later row" => [static function (RecordingPdo $pdo) use ($fetch): mixed {
                $late = $pdo->query(self::FAILS_LATE);
                self::assertInstanceOf(RecordingStatement::class, $late);

                return $fetch($late);
            }];
        }
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('ways')]
    public function testAPageIsNotStored(Closure $way): void
    {
        foreach ([200, 404, 410, 301] as $status) {
            $answer = $this->news->get('/news/4', fn(): Response => new Response(
                $status,
                ['content-type' => ['text/html; charset=utf-8']] + ($status === 301 ? ['location' => ['/a']] : []),
                $this->caught($way),
            ));
            self::assertStringStartsWith(
                'larder; fwd=miss; detail="a statement failed',
                (string) $answer->header('cache-status'),
            );
        }
        self::assertSame([], $this->news->directory->files('pages/current'));
        $this->news->get('/news/4', static fn(): Response => NewsSite::html('well again'));
        self::assertTrue($this->news->stores('/news/4'));
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('ways')]
    public function testAValueIsNotStored(Closure $way): void
    {
        foreach (['strict', 'gates'] as $kind) {
            $counters = new MemoryCounters();
            $cache = $this->caches($counters)[$kind];
            $made = $cache->remember('k', fn(): string => $this->caught($way));
            self::assertSame(['sorry', false], [$made, $cache->has('k')], $kind);
            $many = $cache->rememberMultiple(['a', 'b'], fn(array $keys): array => array_fill_keys(
                $keys,
                $this->caught($way),
            ));
            self::assertSame([['a' => 'sorry', 'b' => 'sorry'], false], [$many, $cache->has('a')], $kind);
            $outer = $cache->remember('outer', fn(): string => $cache->remember('inner', fn() => $this->caught($way)));
            self::assertSame(['sorry', false], [$outer, $cache->has('outer')], $kind);
            $cache->remember('k', static fn(): string => 'well');
            self::assertTrue($cache->has('k'), $kind);
            unset($cache);
            self::assertSame(5, Counted::by($counters)['larder_cache_unstored_total{cause="failed"}'] ?? null, $kind);
        }
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('ways')]
    public function testWhatIsMadeAroundAComputeThatThrewIsNotStoredEither(Closure $way): void
    {
        foreach ($this->caches(new MemoryCounters()) as $kind => $cache) {
            $inner = fn(): string => $cache->remember('inner', function () use ($way): string {
                try {
                    ($way)($this->news->database);
                } finally {
                    throw new PDOException('of the inner one');
                }
            });
            $caught = static function () use ($inner): string {
                try {
                    return $inner();
                } catch (PDOException) {
                    return 'sorry';
                }
            };
            $cache->remember('outer', $caught);
            self::assertFalse($cache->has('outer'), $kind);
            $this->news->get('/news/4', static fn(): Response => NewsSite::html($caught()));
            self::assertFalse($this->news->stores('/news/4'), $kind);
        }
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('ways')]
    public function testAPartIsNotStored(Closure $way): void
    {
        $site = $this->news->site;
        $urls = new Urls(parts: [new Part('box')]);
        $parted = new Site(
            name: $site->name,
            hosts: ['localhost'],
            pages: $site->pages,
            list: $site->list,
            controllers: [NewsController::class],
            connect: fn(): RecordingPdo => $this->news->connect(),
            urls: $urls,
            operations: new Operations(code: []),
        );
        Release::compile($parted, 'r1', $this->news->registry)->save($site->list);
        $cache = Pages::of($parted)->pageCache($this->news->database, new TestLog());
        $key = '/@larder/part/box/one';
        $request = new PageRequest('GET', $key, false, 'box/one');
        $html = fn(string $body): Closure => static fn(): Response => NewsSite::html($body);
        $cache->answer($request, NewsController::class, $html('well'));
        self::assertTrue($this->news->stores($key), 'a part is stored');
        Pages::of($parted)->ledger($this->news->connect())->flush();
        $answer = $cache->answer(
            $request,
            NewsController::class,
            fn(): Response => NewsSite::html($this->caught($way)),
        );
        self::assertSame('sorry', $answer->body);
        self::assertFalse($this->news->stores($key));
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('ways')]
    public function testOutsideOfARenderNothingIsNoted(Closure $way): void
    {
        $this->caught($way);
        self::assertStringContainsString('stored', (string) $this->news->get('/news/4')->header('cache-status'));
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testTheReasonIsTold(): void
    {
        $log = new TestLog();
        $answer = $this->news->get(
            '/news/4',
            fn(): Response => new Response(404, ['content-type' => ['text/html; charset=utf-8']], $this->caught(
                static fn(RecordingPdo $pdo) => $pdo->query(self::FAILS),
            )),
            cache: $this->news->cache($log),
        );
        self::assertSame('larder; fwd=miss; detail="' . self::REASON . '"', $answer->header('cache-status'));
        self::assertSame(
            ['warning: The page /news/4 of ' . NewsController::class . ' is not stored: ' . self::REASON . '.'],
            $log->lines(),
            'also of a status that is no page elsewhere',
        );
        self::assertSame(self::REASON, Pages::of($this->news->site)->refusals()->of('/news/4')['reason'] ?? null);
        $counts = Pages::of($this->news->site)->counters()->all();
        self::assertSame(1, $counts['larder_page_refusals_total{cause="failed"}'] ?? null);

        $log = new TestLog();
        $store = new ArrayStore();
        $cache = new Cache($store, new Gates($store, $this->news->database), log: $log);
        $cache->remember('k', fn(): string => $this->caught(static fn(RecordingPdo $pdo) => $pdo->query(self::FAILS)));
        self::assertSame(['warning: The value of k was not stored: ' . self::REASON . '.'], $log->lines());
    }

    /** SQLite's own messages may hold data. */
    public function testWhatTheDatabaseSaysIsNotShownToVisitors(): void
    {
        $answer = $this->news->get('/news/4', fn(): Response => NewsSite::html($this->caught(
            static fn(RecordingPdo $pdo) => $pdo->query("SELECT load_extension('secret')"),
        )));
        self::assertStringNotContainsString('secret', (string) $answer->header('cache-status'));
        self::assertStringNotContainsString('authorized', (string) $answer->header('cache-status'));
    }

    public function testAWriteThatFailsRefusesAsEachWriteDoes(): void
    {
        $write = fn(): string => $this->caught(static fn(RecordingPdo $pdo) => $pdo->exec(
            "INSERT INTO news (id, title) VALUES (4, 'taken')",
        ));
        $answer = $this->news->get('/news/4', static fn(): Response => NewsSite::html($write()));
        self::assertSame('sorry', $answer->body);
        self::assertFalse($this->news->stores('/news/4'));
        foreach ($this->caches(new MemoryCounters()) as $kind => $cache) {
            $cache->remember('k', $write);
            self::assertFalse($cache->has('k'), $kind);
        }
    }

    public function testAQuestionOfLardersOwnThatFailsRefuses(): void
    {
        foreach ([
            'of a statement' => static fn(RecordingPdo $database): mixed => $database->query('SELECT title FROM news'),
            'of a compute' => static fn(RecordingPdo $database): mixed => $database->tracker()->record(
                new RecordedReads($database->registry()),
                static fn(): null => null,
            ),
        ] as $what => $ask) {
            $database = new class ('sqlite:' . $this->news->directory->path . '/site.sqlite') extends RecordingPdo {
                protected function ownStatements(
                    TransactionState $state,
                    ?Several $several,
                    Closure $open,
                ): OwnStatements {
                    return new FailingStatements($this, $this->dialect(), $state, $several, $open);
                }
            };
            $own = $database->own();
            self::assertInstanceOf(FailingStatements::class, $own);
            $reads = new RecordedReads($database->registry());
            $caught = $database->tracker()->record($reads, static function () use ($database, $own, $ask): bool {
                $own->fails = true;
                try {
                    $ask($database);
                } catch (PDOException) {
                    return true;
                }

                return false;
            });
            self::assertSame([true, 'a statement failed'], [$caught, $reads->refusal()], $what);
        }
    }

    public function testAValueThatIsNotMadeInTimeIsNoPartOfWhatIsMade(): void
    {
        $store = new ArrayStore();
        $store->getOrLease('theirs');
        $settings = new Settings(wait: 0.01, afterWait: AfterWait::Fail);
        $cache = Pages::of($this->news->site)->cache($store, $this->news->database, $settings, new TestLog());
        foreach ([
            static fn(): mixed => $cache->remember('theirs', static fn(): string => 'ours'),
            static fn(): mixed => $cache->rememberMultiple(['theirs'], static fn(): array => ['theirs' => 'ours']),
        ] as $ask) {
            $caught = static function () use ($ask): string {
                try {
                    $ask();

                    return 'right';
                } catch (NotMadeInTime) {
                    return 'sorry';
                }
            };
            self::assertSame('sorry', $cache->remember('outer', $caught));
            self::assertFalse($cache->has('outer'));
            $answer = $this->news->get('/news/4', static fn(): Response => NewsSite::html($caught()));
            self::assertSame(
                'larder; fwd=miss; detail="it asked for a value that was not made in time"',
                $answer->header('cache-status'),
            );
            $reason = Pages::of($this->news->site)->refusals()->of('/news/4')['reason'] ?? '';
            self::assertSame(RefusalCause::Failed, RefusalCause::of($reason));
        }
    }

    /** @return array<string, Cache> that know of the statements, each by a way of its own */
    private function caches(MemoryCounters $counters): array
    {
        $store = new ArrayStore();
        $gates = new Gates($store, $this->news->database);

        return [
            'strict' => Pages::of($this->news->site)->cache(
                new ArrayStore(),
                $this->news->database,
                log: new TestLog(),
                counters: $counters,
            ),
            'gates' => new Cache($store, $gates, log: new TestLog(), counters: $counters),
        ];
    }

    /** @param Closure(RecordingPdo): mixed $way */
    private function caught(Closure $way): string
    {
        try {
            $way($this->news->database);
        } catch (PDOException) {
            return 'sorry';
        }

        return 'sorry';
    }
}
