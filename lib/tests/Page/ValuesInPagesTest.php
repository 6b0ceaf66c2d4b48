<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\Publication;
use Larder\Dependency\RecordedReads;
use Larder\Page\FilePageStore;
use Larder\Page\Pages;
use Larder\Page\Policy;
use Larder\Page\Renderer;
use Larder\Page\Rendering;
use Larder\Page\Response;
use Larder\Page\StoreRules;
use Larder\Page\TimeBucket;
use Larder\Proof\Support\NewsSite;
use Larder\Store\ArrayStore;
use Larder\SystemClock;
use Larder\Tests\Dependency\Ledgered;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Pages that contain values from a cache. */
#[CoversClass(Renderer::class)]
#[CoversClass(StoreRules::class)]
#[CoversClass(RecordedReads::class)]
#[CoversClass(LedgerVersions::class)]
#[CoversClass(Gates::class)]
final class ValuesInPagesTest extends TestCase
{
    private NewsSite $news;
    private Cache $strict;
    private Cache $gated;
    private Cache $wired;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $ledger = $this->news->ledger(database: $this->news->database);
        $this->strict = new Cache(new ArrayStore(), new LedgerVersions($ledger));
        $this->wired = Pages::of($this->news->site)->cache(new ArrayStore(), $this->news->database);
        $store = new ArrayStore();
        $this->gated = new Cache($store, new Gates($store, ledger: $ledger));
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testAStrictValueMakesItsPageNoLessExact(): void
    {
        foreach (['/made', '/found'] as $page) {
            $this->page($page, fn(): string => $this->title($this->strict));
            self::assertTrue($this->news->stores($page));
        }
        $this->strict->change(['news:4'], fn() => Ledgered::write($this->news->database, 'new'));
        self::assertFalse($this->news->stores('/made'));
        self::assertFalse($this->news->stores('/found'), 'the value has carried its names into it');

        self::assertStringContainsString('new', $this->page('/made', fn(): string => $this->title($this->strict)));
    }

    public function testAValueThatIsLookedAtBringsItsNamesToo(): void
    {
        $this->title($this->strict);
        $this->page('/looked', fn(): string => serialize($this->strict->look('title')['title']->value));

        self::assertSame(['news!', 'news:4'], $this->news->ledger->index()->namesOf('/looked'));
    }

    public function testAStrictValueIsOfThePagesState(): void
    {
        $this->title($this->strict);
        $body = $this->page('/news/4', function (): string {
            $before = Ledgered::title($this->news->database);
            $other = $this->news->connect();
            $this->news->ledger(database: $other)->transaction(
                static fn() => Ledgered::write($other, 'new'),
            );

            return $before . ' ' . $this->title($this->strict);
        });

        self::assertSame('four four', $body);
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame('new', $this->title($this->strict));
    }

    public function testWhatAPageReadsBesideIsToldToo(): void
    {
        $this->page('/news/4', function (): string {
            $this->strict->reads('comment:1');

            return 'x';
        });
        self::assertTrue($this->news->stores('/news/4'));
        $this->strict->change(['comment:1'], static fn(): int => 1);
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testAPageIsMadeFromWordsToo(): void
    {
        foreach ([$this->strict, $this->gated] as $cache) {
            $this->page('/news/4', static function () use ($cache): string {
                $cache->reads('#front');

                return 'x';
            });
            self::assertTrue($this->news->stores('/news/4'));
            $cache->change(['#front'], static fn(): int => 1);
            self::assertFalse($this->news->stores('/news/4'));
        }
    }

    public function testAValueBesideTheLedgerMakesAnExactPageUnstored(): void
    {
        $store = new ArrayStore();
        foreach ([$this->gated, new Cache($store, new Gates($store, $this->news->database))] as $cache) {
            $this->title($cache);
            $answer = $this->news->get('/news/4', fn(): Response => NewsSite::html($this->title($cache)));
            self::assertFalse($this->news->stores('/news/4'));
            self::assertStringContainsString(
                'a value from a cache without the ledger\'s versions: make it by Pages::cache()',
                (string) $answer->header('cache-status'),
            );
        }
    }

    public function testAValueMadeWithinThePageIsOfItsState(): void
    {
        $this->page('/news/4', fn(): string => $this->title($this->gated) . $this->title($this->gated, ['comment:1']));
        self::assertTrue($this->news->stores('/news/4'), 'it was read there, not taken from a cache');
        self::assertFalse($this->gated->has('title'), 'nor stored: the state may be an old one');
        $this->gated->change(['comment:1'], static fn(): int => 1);
        self::assertFalse($this->news->stores('/news/4'));
    }

    /** @return iterable<string, array{Closure(self): (Closure(): string)}> what reads the title of item 4, unseen */
    public static function unseen(): iterable
    {
        $select = 'SELECT title FROM news WHERE id = 4';
        yield 'a second connection' => [static function (self $test) use ($select): Closure {
            $second = new PDO('sqlite:' . $test->news->directory->path . '/site.sqlite');

            return static function () use ($second, $select): string {
                $statement = $second->prepare($select);
                $statement->execute();

                return json_encode($statement->fetchAll(), JSON_THROW_ON_ERROR);
            };
        }];
        yield 'a value that knows no ledger' => [static function (self $test): Closure {
            $cache = new Cache(new ArrayStore());
            $test->titleOf($cache);

            return static fn(): string => $test->titleOf($cache);
        }];
    }

    /** @param Closure(self): (Closure(): string) $unseen */
    #[DataProvider('unseen')]
    public function testADeclaredTableThatNothingWasSeenToReadCountsAsReadWhole(Closure $unseen): void
    {
        $make = $unseen($this);
        self::assertSame(Publication::Stored, $this->rendered($make)->publication);
        self::assertSame(
            ['comment', 'comment!', 'news', 'news!'],
            $this->news->ledger->index()->namesOf('/unseen'),
        );
        $this->change('new');
        self::assertFalse($this->news->stores('/unseen'));

        $trusting = $this->rendered($make, new Policy(['news', 'comment'], null, trust: true));
        self::assertTrue($trusting->isStored());
        self::assertSame([], $this->news->ledger->index()->namesOf('/unseen'), 'as it was told to be trusted');
    }

    public function testWhatASecondConnectionReadBeforeAChangeIsNotStoredAfterIt(): void
    {
        $second = new PDO('sqlite:' . $this->news->directory->path . '/site.sqlite');
        $rendering = $this->rendered(function () use ($second): string {
            $statement = $second->prepare('SELECT title FROM news WHERE id = 4');
            $statement->execute();
            $title = $statement->fetchColumn();
            $this->change('new');

            return \is_string($title) ? $title : '';
        });

        self::assertSame('four', $rendering->answer->body);
        self::assertSame(Publication::Changed, $rendering->publication);
    }

    public function testATableThatWasReadAndNotDeclaredIsSaid(): void
    {
        $rendering = $this->rendered(fn(): string => $this->title($this->strict), new Policy(['comment'], null));

        self::assertSame('it read news, which #[Reads] does not declare', $rendering->refusal);
    }

    /** @return iterable<string, array{Closure(self): mixed}> */
    public static function changes(): iterable
    {
        yield 'by the ledger' => [static fn(self $test) => $test->change('new')];
        yield 'by the cache' => [static fn(self $test) => $test->wired->change(
            ['news:4'],
            static fn() => Ledgered::write($test->news->database, 'new'),
        )];
        yield 'by nobody' => [static fn(self $test) => $test->news->connect()->exec("UPDATE news SET title = 'new'")];
    }

    /** @param Closure(self): mixed $change */
    #[DataProvider('changes')]
    public function testOneChangeEndsPagesAndTheValuesInThem(Closure $change): void
    {
        $this->title($this->wired);
        self::assertStringContainsString('four', $this->page('/found', fn(): string => $this->title($this->wired)));
        self::assertSame(['news!', 'news:4'], $this->news->ledger->index()->namesOf('/found'));
        $change($this);
        self::assertFalse($this->news->stores('/found'));

        self::assertStringContainsString('new', $this->page('/found', fn(): string => $this->title($this->wired)));
        self::assertTrue($this->news->stores('/found'));
    }

    /** @return iterable<string, array{Closure(self): string}> */
    public static function bounded(): iterable
    {
        yield 'no names' => [
            static fn(self $test): mixed => $test->strict->remember('plain', static fn(): string => 'x', 3600.0),
        ];
        yield 'a counter' => [static fn(self $test): string => json_encode([
            $test->strict->increment('counter', initial: 1), $test->gated->decrement('counter', initial: 1),
        ], JSON_THROW_ON_ERROR)];
        yield 'no names, by gates' => [
            static fn(self $test): mixed => $test->gated->remember('plain', static fn(): string => 'x', 3600.0),
        ];
        yield 'a value without names in it' => [
            static fn(self $test): mixed => $test->strict->remember(
                'outer',
                static fn(): mixed => $test->title($test->strict)
                    . $test->strict->remember('plain', static fn(): string => 'x', 3600.0),
                3600.0,
            ),
        ];
        yield 'the clock in it' => [
            static fn(self $test): mixed => $test->strict->remember(
                'clock',
                static fn(): string => $test->title($test->strict)
                    . json_encode($test->news->database->select('SELECT CURRENT_TIMESTAMP', [])),
                3600.0,
            ),
        ];
    }

    /** @param Closure(self): string $value */
    #[DataProvider('bounded')]
    public function testAValueThatOnlyItsTtlBoundsMakesAnExactPageUnstored(Closure $value): void
    {
        foreach (['made', 'found', 'found again'] as $how) {
            $this->page('/news/4', fn(): string => $value($this));
            self::assertFalse($this->news->stores('/news/4'), $how);
        }
    }

    public function testATtlPageIsStoredIfItsValuesLiveAsLong(): void
    {
        $now = time();
        $key = '/@' . (new TimeBucket(10))->of(new \DateTimeImmutable('@' . ($now + 3600))) . '/quick/';
        $end = (new TimeBucket(10))->end(substr($key, 2, -7));
        foreach ([$this->gated, $this->strict] as $cache) {
            foreach (['short' => $end - 2 - $now, 'long' => $end + 2 - $now] as $name => $ttl) {
                $cache->set($name, 'x', (float) $ttl, 0.0);
                $this->page(
                    $key . $name,
                    static fn(): string => $cache->remember($name, static fn(): string => self::fail('It is there.')),
                );
                self::assertSame($name === 'long', $this->news->stores($key . $name));
            }
        }
    }

    /** @param Closure(): string $make */
    private function rendered(Closure $make, ?Policy $policy = null): Rendering
    {
        $site = $this->news->site;
        $page = $site->urls->page('/unseen') ?? self::fail('It is canonical.');
        $store = new FilePageStore($site->pages, 'r1');
        $ledger = $this->news->ledger(database: $this->news->database);
        $renderer = new Renderer($site, $ledger, $store, $this->news->registry, new SystemClock());

        return $renderer->render(
            $page,
            'route',
            $policy ?? new Policy(['news', 'comment'], null),
            static fn(): Response => NewsSite::html($make()),
        );
    }

    private function change(string $title): void
    {
        $database = $this->news->connect();
        $this->news->ledger(database: $database)->transaction(
            static fn() => Ledgered::write($database, $title),
        );
    }

    /** A value whose names nothing but its own cache knows. */
    private function titleOf(Cache $cache): string
    {
        return $cache->remember('title', static fn(): string => 'four', 3600.0, reads: ['news']);
    }

    /** @param Closure(): string $make */
    private function page(string $key, Closure $make): string
    {
        return $this->news->get($key, static fn(): Response => NewsSite::html($make()))->body;
    }

    /** @param list<string> $reads */
    private function title(Cache $cache, array $reads = []): string
    {
        return $cache->remember(
            'title' . implode(' ', $reads),
            fn(): string => Ledgered::title($this->news->database),
            3600.0,
            reads: $reads,
        );
    }
}
