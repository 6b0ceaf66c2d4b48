<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Dependency\Reading;
use Larder\Exception\UnknownName;
use Larder\Metrics\MemoryCounters;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Values that are set, and made from data that changes. */
#[CoversClass(Cache::class)]
#[CoversClass(Reading::class)]
final class SetReadsTest extends TestCase
{
    private NewsSite $news;
    private ArrayStore $store;
    private MemoryCounters $counters;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->store = new ArrayStore();
        $this->counters = new MemoryCounters();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{Closure(self): Cache}> */
    public static function modes(): iterable
    {
        yield 'gated' => [static fn(self $test): Cache => new Cache(
            $test->store,
            new Gates($test->store, $test->news->database),
            counters: $test->counters,
        )];
        yield 'strict' => [static fn(self $test): Cache => new Cache(
            $test->store,
            new LedgerVersions($test->news->ledger(database: $test->news->database)),
            counters: $test->counters,
        )];
    }

    /** @param Closure(self): Cache $mode */
    #[DataProvider('modes')]
    public function testAValueThatWasSetEndsWithItsData(Closure $mode): void
    {
        $cache = $mode($this);
        self::assertTrue($cache->set('k', 'value', 60.0, reads: $cache->reading('news:4', 'comment:1')));
        self::assertSame('value', $cache->get('k'));
        $cache->change([], static fn(Change $change) => $change->name('news:5', trust: true));
        self::assertTrue($cache->has('k'));
        $cache->change(['comment:1'], static fn(): null => null);
        self::assertFalse($cache->has('k'));
        $this->expectException(UnknownName::class);
        $cache->reading('nothing:4');
    }

    /** @param Closure(self): Cache $mode */
    #[DataProvider('modes')]
    public function testAValueWhoseDataChangedAfterItWasReadIsNotStored(Closure $mode): void
    {
        $cache = $mode($this);
        $reads = $cache->reading('news:4');
        $cache->change(['news:4'], static fn(): null => null);
        self::assertFalse($cache->set('k', 'old', 60.0, reads: $reads));
        self::assertFalse($cache->has('k'));
        $cache->flush();
        self::assertSame(1, Counted::by($this->counters)['larder_cache_unstored_total{cause="changed"}'] ?? 0);
    }

    /** @param Closure(self): Cache $mode */
    #[DataProvider('modes')]
    public function testWhatATransactionMayHaveWrittenIsNotStored(Closure $mode): void
    {
        $cache = $mode($this);
        $before = $cache->reading('news:4');
        $this->news->database->beginTransaction();
        $this->news->database->exec("UPDATE news SET title = 'not committed' WHERE id = 4");
        self::assertFalse($cache->set('k', 'not committed', 60.0, reads: $before));
        self::assertFalse($cache->set('k', 'not committed', 60.0, reads: $cache->reading('news:4')));
        $this->news->database->rollBack();
        self::assertFalse($cache->has('k'));
        self::assertTrue($cache->set('k', 'four', 60.0, reads: $before));
    }

    /** @param Closure(self): Cache $mode */
    #[DataProvider('modes')]
    public function testAComputeThatSetsAValueIsMadeFromItsDataToo(Closure $mode): void
    {
        $cache = $mode($this);
        $cache->remember('around', static function () use ($cache): string {
            $cache->set('k', 'value', 60.0, reads: $cache->reading('news:4'));

            return 'with value';
        }, 60.0);
        self::assertTrue($cache->has('around'));
        $cache->change(['news:4'], static fn(): null => null);
        self::assertFalse($cache->has('around'));
    }

    public function testWhereNothingIsKnownOfTheConnectionItIsNotStored(): void
    {
        $cache = new Cache($this->store, counters: $this->counters);
        self::assertFalse($cache->set('k', 'value', 60.0, reads: $cache->reading('news:4')));
        $cache->flush();
        self::assertSame(1, Counted::by($this->counters)['larder_cache_unstored_total{cause="unknown_snapshot"}'] ?? 0);
        self::assertTrue($cache->set('k', 'value', 60.0));
    }
}
