<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\RecordedReads;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Page\StoreRules;
use Larder\Page\TimeBucket;
use Larder\Store\ArrayStore;
use Larder\Tests\Dependency\Ledgered;
use Larder\Tests\Support\NewsSite;
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

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $ledger = $this->news->ledger(database: $this->news->database);
        $this->strict = new Cache(new ArrayStore(), new LedgerVersions($ledger));
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

    public function testAStrictValueIsOfThePagesState(): void
    {
        $this->title($this->strict);
        $body = $this->page('/news/4', function (): string {
            $before = Ledgered::title($this->news->database);
            $other = $this->news->connect();
            $this->news->ledger(database: $other)->transaction(
                static fn($change) => $change->update('news', 4, static fn() => Ledgered::write($other, 'new')),
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
        $this->title($this->gated);
        $this->page('/news/4', fn(): string => $this->title($this->gated));

        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testAValueMadeWithinThePageIsOfItsState(): void
    {
        $this->page('/news/4', fn(): string => $this->title($this->gated) . $this->title($this->gated, ['comment:1']));
        self::assertTrue($this->news->stores('/news/4'), 'it was read there, not taken from a cache');
        self::assertFalse($this->gated->has('title'), 'nor stored: the state may be an old one');
        $this->gated->change(['comment:1'], static fn(): int => 1);
        self::assertFalse($this->news->stores('/news/4'));
    }

    /** @return iterable<string, array{Closure(self): string}> */
    public static function bounded(): iterable
    {
        yield 'no names' => [
            static fn(self $test): mixed => $test->strict->remember('plain', static fn(): string => 'x', 3600.0),
        ];
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
