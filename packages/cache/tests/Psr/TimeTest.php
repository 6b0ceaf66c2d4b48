<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use DateInterval;
use DateTimeImmutable;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Psr\Pool;
use Larder\Psr\SimpleCache;
use Larder\Psr\Time;
use Larder\Store\ArrayStore;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** When the values of both standards end, to the microsecond, by a clock that stands still. */
#[CoversClass(Time::class)]
final class TimeTest extends TestCase
{
    private SteppedClock $clock;

    private Cache $cache;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->clock->seconds = (float) (new DateTimeImmutable('2027-02-01 12:00:00 UTC'))->format('U') + 0.25;
        $store = new ArrayStore($this->clock);
        $gates = new Gates($store, inTransaction: static fn(): bool => false);
        $this->cache = new Cache($store, $gates, clock: $this->clock);
    }

    /** @return iterable<string, array{int|DateInterval, float}> */
    public static function periods(): iterable
    {
        yield 'a second' => [1, 1.0];
        yield 'thirty days' => [2_592_000, 2_592_000.0];
        yield 'an hour and a half' => [new DateInterval('PT1H30M'), 5_400.0];
        yield 'this month' => [new DateInterval('P1M'), 28 * 86_400.0];
        yield 'this year' => [new DateInterval('P1Y'), 365 * 86_400.0];
        yield 'what lies between two times' => [
            (new DateTimeImmutable('2020-01-01'))->diff(new DateTimeImmutable('2020-01-03')),
            2 * 86_400.0,
        ];
        $fraction = new DateInterval('PT0S');
        $fraction->f = 0.5;
        yield 'half a second' => [$fraction, 0.5];
    }

    #[DataProvider('periods')]
    public function testEndsAfterAPeriod(int|DateInterval $period, float $seconds): void
    {
        $simple = new SimpleCache($this->cache, $this->clock);
        $pool = new Pool($this->cache, $this->clock);
        $simple->set('simple', 1, $period);
        $simple->setMultiple(['many' => 1], $period);
        $pool->save($pool->getItem('item')->set(1)->expiresAfter($period));
        $pool->saveDeferred($pool->getItem('deferred')->set(1)->expiresAfter($period));
        $begin = $this->clock->seconds;

        $this->clock->seconds = $begin + $seconds - 0.001;
        self::assertSame(
            [true, true, true, true],
            array_map($pool->hasItem(...), ['simple', 'many', 'item', 'deferred']),
        );
        $this->clock->seconds = $begin + $seconds;
        self::assertSame(
            [false, false, false, false],
            array_map($pool->hasItem(...), ['simple', 'many', 'item', 'deferred']),
        );
    }

    public function testAPeriodBeginsWhenItIsSaid(): void
    {
        $pool = new Pool($this->cache, $this->clock);
        $item = $pool->getItem('k')->set(1)->expiresAfter(10);
        $this->clock->seconds += 6;
        $pool->saveDeferred($item);
        $this->clock->seconds += 3;
        $pool->commit();

        self::assertTrue($pool->hasItem('k'));
        $this->clock->seconds += 1;
        self::assertFalse($pool->hasItem('k'));
    }

    public function testEachOfThosePutOffHasItsOwnEnd(): void
    {
        $pool = new Pool($this->cache, $this->clock);
        foreach ([1, 5, null, 0, 3] as $ttl) {
            $pool->saveDeferred($pool->getItem('k' . $ttl)->set($ttl)->expiresAfter($ttl));
        }
        self::assertTrue($pool->commit());
        $this->clock->seconds += 3;

        self::assertSame(
            [false, true, true, false, false],
            array_map($pool->hasItem(...), ['k1', 'k5', 'k', 'k0', 'k3']),
        );
    }

    public function testEndsAtATime(): void
    {
        $pool = new Pool($this->cache, $this->clock);
        $pool->save($pool->getItem('k')->set(1)->expiresAt(new DateTimeImmutable('2027-02-01 14:00:00.5 +01:00')));
        $this->clock->seconds = (float) (new DateTimeImmutable('2027-02-01 13:00:00 UTC'))->format('U') + 0.499;
        self::assertTrue($pool->hasItem('k'));
        $this->clock->seconds += 0.002;

        self::assertFalse($pool->hasItem('k'));
    }

    public function testWithoutATimeTheDefaultHolds(): void
    {
        $cache = new Cache(new ArrayStore($this->clock), settings: new Settings(ttl: 100.0), clock: $this->clock);
        $pool = new Pool($cache, $this->clock);
        (new SimpleCache($cache, $this->clock))->set('simple', 1);
        $pool->save($pool->getItem('item')->set(1));
        $pool->save($pool->getItem('own')->set(1)->expiresAfter(500));
        $this->clock->seconds += 99;
        self::assertSame([true, true, true], array_map($pool->hasItem(...), ['simple', 'item', 'own']));
        $this->clock->seconds += 1;

        self::assertSame(
            [false, false, true],
            array_map($pool->hasItem(...), ['simple', 'item', 'own']),
            'there is no grace either',
        );
    }

    public function testWithoutADefaultNothingEnds(): void
    {
        $simple = new SimpleCache($this->cache, $this->clock);
        $simple->set('k', 1);
        $simple->set('long', 1, PHP_INT_MAX);
        $this->clock->seconds += 1e9;

        self::assertTrue($simple->has('k'));
        self::assertTrue($simple->has('long'));
    }

    public function testBothStandardsAndTheCacheShareTheirKeys(): void
    {
        $simple = new SimpleCache($this->cache, $this->clock);
        $pool = new Pool($this->cache, $this->clock);
        $this->cache->remember('made', static fn(): string => 'once', 60.0);
        $simple->set('simple', 1, 60);

        self::assertSame('once', $simple->get('made'));
        self::assertSame('once', $pool->getItem('made')->get());
        self::assertSame(1, $this->cache->get('simple'));
    }

    public function testAValueThatIsReadHereMakesTheOuterOneDepend(): void
    {
        $simple = new SimpleCache($this->cache, $this->clock);
        $this->cache->remember('inner', static fn(): int => 1, 60.0, reads: ['news']);
        $this->cache->remember('outer', static fn(): mixed => $simple->get('inner'), 60.0);
        self::assertTrue($this->cache->has('outer'));
        $this->cache->change(['news'], static fn(): null => null);

        self::assertFalse($this->cache->has('outer'));
        self::assertFalse($simple->has('inner'));
    }
}
