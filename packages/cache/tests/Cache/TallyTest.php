<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Cache\Event;
use Larder\Cache\Observer;
use Larder\Cache\Settings;
use Larder\Cache\Tally;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use RuntimeException;

/** What is counted, observed and logged. */
#[CoversClass(Tally::class)]
final class TallyTest extends CacheCase
{
    public function testCountsWhatBecameOfEachRequestAndTellsItAtTheEnd(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache(
            $this->store,
            null,
            new Settings(ttl: 10.0, grace: 10.0, early: 0.0),
            null,
            $counters,
            $this->clock,
        );
        $cache->remember('k', $this->compute());
        $cache->remember('k', $this->compute());
        $cache->remember('k', $this->compute());
        self::assertSame([], Counted::by($counters), 'counters may be a file under a lock');
        $this->pass(10.0);
        $lease = (int) $this->array->lease('k');
        $cache->remember('k', $this->compute());
        $this->array->release('k', $lease);
        $cache->remember('k', $this->compute());
        $cache->flush();

        self::assertSame([
            'larder_cache_compute_duration_seconds_count' => 2,
            'larder_cache_requests_total{result="hit"}' => 2,
            'larder_cache_requests_total{result="miss"}' => 1,
            'larder_cache_requests_total{result="refresh"}' => 1,
            'larder_cache_requests_total{result="stale"}' => 1,
        ], Counted::by($counters));
        $cache->get('k');
        unset($cache);
        self::assertSame(
            3,
            Counted::by($counters)['larder_cache_requests_total{result="hit"}'],
            'each event once, the rest with the object',
        );
    }

    public function testCountsTheHitsOfTheShortestPath(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache(new ArrayStore(), counters: $counters);
        for ($i = 0; $i < 5; ++$i) {
            $cache->remember('k', $this->compute());
        }
        $cache->flush();
        $cache->remember('k', $this->compute());
        $cache->flush();

        self::assertSame(5, Counted::by($counters)['larder_cache_requests_total{result="hit"}']);
    }

    public function testCountsAHitOnceAlsoWhereItIsObserved(): void
    {
        $counters = new MemoryCounters();
        $observer = new class implements Observer {
            public function saw(string $key, Event $event, float $now, ?float $cost, ?float $ttl, float $grace): void {}
        };
        $cache = new Cache(new ArrayStore(), counters: $counters, observer: $observer);
        for ($i = 0; $i < 3; ++$i) {
            $cache->remember('k', $this->compute());
            $cache->flush();
        }
        $cache->get('k');
        $cache->flush();

        self::assertSame(3, Counted::by($counters)['larder_cache_requests_total{result="hit"}']);
    }

    public function testCountsWaitsAndWhatWasNotStored(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache(
            $this->store,
            self::gates($this->store),
            new Settings(wait: 0.01),
            null,
            $counters,
            $this->clock,
        );
        $lease = (int) $this->array->getOrLease('waited for')->lease;
        $cache->remember('waited for', $this->compute());
        $this->array->release('waited for', $lease);
        $cache->remember('lost', function (): int {
            $this->elsewhere()->delete('lost');

            return 1;
        });
        $cache->remember('changed', function (): int {
            $this->elsewhere()->change(['news:4'], static fn(): null => null);

            return 1;
        }, reads: ['news:4']);
        $this->store->on('set', static fn(): Outcome => Outcome::Refused);
        $cache->remember('refused', $this->compute());
        $cache->flush();

        self::assertSame([
            'larder_cache_compute_duration_seconds_count' => 4,
            'larder_cache_requests_total{result="miss"}' => 4,
            'larder_cache_unstored_total{cause="changed"}' => 1,
            'larder_cache_unstored_total{cause="lost_lease"}' => 1,
            'larder_cache_unstored_total{cause="refused"}' => 1,
            'larder_cache_waits_in_vain_total' => 1,
            'larder_cache_waits_total' => 1,
        ], Counted::by($counters));
    }

    public function testCountsARequestThatWaitedAndGotIt(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, null, new Settings(), null, $counters, $this->clock);
        $lease = $this->array->getOrLease('k')->lease;
        $looks = 0;
        $this->store->on('getOrLease', function () use (&$looks, $lease): null {
            if (++$looks === 2) {
                $this->array->set('k', 'value', null, $lease);
            }

            return null;
        });
        $cache->remember('k', $this->compute());
        $cache->flush();

        self::assertSame([
            'larder_cache_requests_total{result="miss"}' => 1,
            'larder_cache_waits_total' => 1,
        ], Counted::by($counters));
    }

    public function testAnObserverIsToldOfEveryRequestHitsOfTheShortestPathToo(): void
    {
        $observer = new class implements Observer {
            /** @var list<array{string, Event, bool, float|null, float}> */
            public array $seen = [];

            public function saw(string $key, Event $event, float $now, ?float $cost, ?float $ttl, float $grace): void
            {
                $this->seen[] = [$key, $event, $cost !== null, $ttl, $grace];
            }
        };
        $store = new ArrayStore();
        $cache = new Cache($store, observer: $observer);
        $cache->remember('k', $this->compute(), 60.0, 5.0);
        $cache->remember('k', $this->compute(), 60.0, 5.0);
        $cache->get('k');
        $cache->get('nothing');
        $cache->set('old', 1, 0.001, 60.0);
        usleep(2_000);
        $lease = (int) $store->lease('old');
        $cache->remember('old', $this->compute(), 60.0);
        $store->release('old', $lease);
        $cache->remember('old', $this->compute(), 60.0);
        $cache->rememberMultiple(['old', 'new'], static fn(array $keys): array => array_fill_keys($keys, 1), 7.0);

        self::assertSame([
            ['k', Event::Miss, true, 60.0, 5.0],
            ['k', Event::Hit, true, 60.0, 5.0],
            ['k', Event::Hit, true, null, 0.0],
            ['nothing', Event::Miss, false, null, 0.0],
            ['old', Event::Stale, false, 60.0, 60.0],
            ['old', Event::Refresh, true, 60.0, 60.0],
            ['old', Event::Hit, true, 7.0, 7.0],
            ['new', Event::Miss, true, 7.0, 7.0],
        ], $observer->seen);
    }

    public function testWhatWasNotStoredIsLoggedOnceASecond(): void
    {
        $log = new TestLog();
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, null, new Settings(), $log, $counters, $this->clock);
        $this->store->on('set', static fn(): Outcome => Outcome::Refused);
        $begin = hrtime(true);
        for ($i = 0; $i < 20; ++$i) {
            $cache->remember("k$i", $this->compute());
        }
        $seconds = (int) ceil((hrtime(true) - $begin) / 1e9);
        $cache->flush();

        self::assertSame(
            'warning: The value of k0 was not stored: it is too large, or the store is full or does not answer. larder '
                . 'doctor asks the store.',
            $log->lines()[0],
        );
        self::assertLessThanOrEqual($seconds, \count($log->lines()));
        self::assertSame(20, Counted::by($counters)['larder_cache_unstored_total{cause="refused"}']);
    }

    public function testWhatAComputeThrowsIsNotARequestOfAnyKind(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, counters: $counters);
        try {
            $cache->remember('k', static fn(): never => throw new RuntimeException());
        } catch (RuntimeException) {
        }
        $cache->flush();

        self::assertSame(['larder_cache_compute_duration_seconds_count' => 1], Counted::by($counters));
    }
}
