<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Answer;
use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Refresh;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Exception\NotMadeInTime;
use Larder\Exception\OwnKey;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use LogicException;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;
use RuntimeException;

/** The life of a value: fresh, early, grace, gone. */
#[CoversClass(Cache::class)]
#[Group('without')]
final class RememberTest extends CacheCase
{
    public function testIsMadeOnceWhileFresh(): void
    {
        $cache = $this->cache();

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0));
        $this->pass(9.9);
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0));
        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 10.0));
    }

    public function testWithoutATtlItDoesNotEnd(): void
    {
        $this->cache()->remember('k', $this->compute());
        $this->pass(1e8);

        self::assertSame('made 1', $this->cache()->remember('k', $this->compute()));
    }

    public function testInGraceOneMakesItAndAllOthersGetTheOldOneAtOnce(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, 5.0);
        $this->pass(10.0);
        $others = [];
        $value = $cache->remember('k', function () use (&$others): string {
            for ($i = 0; $i < 3; ++$i) {
                $others[] = $this->elsewhere()->remember('k', $this->compute(), 10.0, 5.0, wait: 0.0);
            }

            return 'new';
        }, 10.0, 5.0);

        self::assertSame(['new', ['made 1', 'made 1', 'made 1'], 1], [$value, $others, $this->made]);
        self::assertSame('new', $this->elsewhere()->remember('k', $this->compute(), 10.0, 5.0));
    }

    public function testAfterGraceItIsGone(): void
    {
        $this->cache()->remember('k', $this->compute(), 10.0, 5.0);
        $this->pass(15.0);

        self::assertFalse($this->cache()->has('k'));
        self::assertSame('made 2', $this->cache()->remember('k', $this->compute(), 10.0, 5.0));
    }

    public function testShortlyBeforeItsEndACostlyValueIsMadeAnewByOneWhileOthersHaveTheOldOne(): void
    {
        $settings = new Settings(early: 1.0);
        $early = $this->cache($settings);
        $early->remember('k', static function (): string {
            usleep(20_000);

            return 'old';
        }, 100.0);
        $this->pass(100.0 - 1e-4);
        $value = 'old';
        for ($tries = 0; $value === 'old' && $tries < 1000; ++$tries) {
            $value = $early->remember(
                'k',
                fn(): string => 'new, and others get '
                    . $this->elsewhere($settings)->remember('k', $this->compute(), 100.0, wait: 0.0),
                100.0,
            );
        }

        self::assertSame('new, and others get old', $value);
    }

    public function testEarlyRefreshCanBeOff(): void
    {
        $this->cache()->remember('k', static function (): string {
            usleep(20_000);

            return 'old';
        }, 100.0);
        $this->pass(100.0 - 1e-4);
        for ($i = 0; $i < 100; ++$i) {
            self::assertSame('old', $this->cache()->remember('k', $this->compute(), 100.0));
        }
    }

    public function testAColdOneIsMadeByOneAndTheOthersWaitForIt(): void
    {
        $lease = $this->array->getOrLease('k')->lease;
        $looks = 0;
        $this->store->on('getOrLease', function () use (&$looks, $lease): null {
            if (++$looks === 4) {
                $this->array->set('k', 'from the other process', null, $lease);
            }

            return null;
        });

        self::assertSame('from the other process', $this->cache()->remember('k', $this->compute()));
        self::assertSame([4, 0], [$looks, $this->made]);
    }

    public function testWhoWaitsTakesOverWhereTheOneThatMakesItFails(): void
    {
        $lease = (int) $this->array->getOrLease('k')->lease;
        $looks = 0;
        $this->store->on('getOrLease', function () use (&$looks, $lease): null {
            if (++$looks === 3) {
                $this->array->release('k', $lease);
            }

            return null;
        });

        self::assertSame('made 1', $this->cache()->remember('k', $this->compute(), wait: 3600.0));
        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute()), 'and stores it');
        self::assertSame(3, $looks);
    }

    public function testALeaseThatEndsWithTheOldValueIsTakenAnew(): void
    {
        $cache = $this->cache(new Settings(early: 0.0));
        $this->elsewhere()->set('k', 'old', 10.0, 60.0);
        $this->pass(10.0);
        $this->store->once('getMultiple', function (): null {
            $this->elsewhere()->delete('k');

            return null;
        });

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0));
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0), 'it was stored');
    }

    public function testAComputeThatFailsGivesTheLeaseBack(): void
    {
        try {
            $this->cache()->remember('k', static fn(): never => throw new RuntimeException('it fails'));
        } catch (RuntimeException $exception) {
            self::assertSame('it fails', $exception->getMessage());
        }

        self::assertNotNull($this->array->lease('k'));
    }

    public function testWhoWaitedInVainMakesItForItself(): void
    {
        $lease = $this->array->getOrLease('k')->lease;

        self::assertSame('made 1', $this->cache()->remember('k', $this->compute(), wait: 0.01));
        self::assertFalse($this->array->has('k'), 'and does not store it');
        self::assertSame(
            Outcome::Done,
            $this->array->set('k', 'slow', null, $lease),
            'whoever has the lease still stores',
        );
    }

    public function testWhoWaitedInVainFailsIfTheSettingsSaySo(): void
    {
        $this->array->getOrLease('k');
        $this->expectException(NotMadeInTime::class);
        $this->expectExceptionMessage('"k" was not made by another process within 0.010 s');

        $this->cache(new Settings(wait: 0.01, afterWait: AfterWait::Fail))->remember('k', $this->compute());
    }

    public function testTheWaitIsBoundedByWhatTheCallSays(): void
    {
        $this->array->getOrLease('k', 3600.0);
        $begin = hrtime(true);
        $this->cache(new Settings(wait: 3600.0))->remember('k', $this->compute(), wait: 0.2);

        self::assertGreaterThanOrEqual(0.2, (hrtime(true) - $begin) / 1e9);
    }

    public function testTheComputesExceptionIsItsCallersAloneAndTheOthersKeepTheOldOne(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, 5.0);
        $this->pass(10.0);
        $other = null;
        try {
            $cache->remember('k', self::opaque(function () use (&$other): never {
                $other = $this->elsewhere()->remember('k', $this->compute(), 10.0, 5.0);
                throw new LogicException('broken');
            }), 10.0, 5.0);
            self::fail('it was caught');
        } catch (LogicException $exception) {
            self::assertSame('broken', $exception->getMessage());
        }

        self::assertSame('made 1', $other);
        self::assertSame(
            'made 2',
            $this->elsewhere()->remember('k', $this->compute(), 10.0, 5.0),
            'the next one may make it',
        );
    }

    public function testAStoreThatDoesNotAnswerCostsNoWait(): void
    {
        $this->store->on('get', static fn(): Outcome => Outcome::Unknown);
        $this->store->on('getOrLease', static fn(): Answer => new Answer(answered: false));

        self::assertSame('made 1', $this->cache(new Settings(wait: 3600.0))->remember('k', $this->compute()));
        self::assertSame(
            'made 2',
            $this->cache(new Settings(wait: 3600.0, afterWait: AfterWait::Fail))->remember('k', $this->compute()),
            'and is no reason to fail',
        );
    }

    public function testAStoreThatKeepsNothingNeitherWaitsNorFails(): void
    {
        $cache = new Cache(new NullStore(), null, new Settings(wait: 3600.0));

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0));
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0));
    }

    public function testARefusedValueIsNotWaitedFor(): void
    {
        $this->store->on(
            'set',
            static fn(string $key, mixed $entry): ?Outcome => \is_array($entry) && ($entry[0] ?? null) === 'too large'
                ? Outcome::Refused
                : null,
        );
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));

        self::assertSame('too large', $cache->remember('k', self::opaque(static fn(): string => 'too large'), 60.0));
        self::assertFalse($cache->has('k'), 'there is no value');
        self::assertFalse($cache->fetch('k'));
        self::assertSame([], $cache->getMultiple(['k']));
        $lease = (int) $this->array->lease('k');
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0), 'though another one makes it');
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 60.0, reads: ['news:4']));
        $this->array->release('k', $lease);

        self::assertSame('made 3', $cache->remember('k', $this->compute(), 60.0), 'who has the lease stores');
        self::assertSame('made 3', $cache->remember('k', $this->compute(), 60.0));
    }

    public function testAfterAWhileARefusedValueIsWaitedForAgain(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));
        $this->store->once('set', static fn(): Outcome => Outcome::Refused);
        $cache->remember('k', $this->compute(), 60.0);
        $this->pass(1.0);
        $this->array->getOrLease('k');

        $this->expectException(NotMadeInTime::class);
        $cache->remember('k', $this->compute(), 60.0);
    }

    public function testNobodyWaitsForAValueWhoseDataChangedWhileItWasMade(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));
        $cache->remember('k', function (): string {
            $this->elsewhere()->change(['news:4'], static fn(): null => null);

            return 'old';
        }, reads: ['news:4']);
        $lease = (int) $this->array->lease('k');
        self::assertSame('made 1', $cache->remember('k', $this->compute(), reads: ['news:4']));
        $this->array->release('k', $lease);

        self::assertSame('made 2', $cache->remember('k', $this->compute(), reads: ['news:4']), 'who has the lease');
        self::assertSame('made 2', $cache->remember('k', $this->compute(), reads: ['news:4']), 'stores it');
    }

    public function testBehindAClosedGateNobodyWaitsNorAfterIt(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, wait: 0.01, afterWait: AfterWait::Fail));
        $read = fn(): string => $cache->remember('k', $this->compute(), reads: ['news:4']);
        $this->elsewhere()->change(['news:4'], function () use ($read): void {
            self::assertSame('made 1', $read(), 'has the lease, and gives it back');
            $lease = (int) $this->array->getOrLease('k')->lease;
            self::assertSame('made 2', $read(), 'has no lease, and waits for nobody');
            $this->array->release('k', $lease);
        });

        self::assertSame('made 3', $read());
        self::assertSame('made 3', $read());
    }

    public function testInATransactionNoLeaseIsTakenSinceNothingCouldBeStored(): void
    {
        $connection = new PDO('sqlite::memory:');
        $cache = new Cache($this->store, new Gates($this->store, $connection), clock: $this->clock);
        $connection->beginTransaction();

        self::assertSame('made 1', $cache->remember('k', $this->compute()));
        self::assertNotContains('getOrLease', $this->store->calls);
        $this->elsewhere()->set('k', 'old', 10.0, 10.0);
        $this->pass(10.0);
        self::assertSame('old', $cache->remember('k', $this->compute(), 10.0), 'another one is to make it anew');
        self::assertNotContains('lease', $this->store->calls);
    }

    public function testARefusedValueLeavesTheOldOneInGrace(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, 60.0);
        $this->pass(10.0);
        $this->store->on(
            'set',
            static fn(string $key, mixed $entry): ?Outcome => \is_array($entry) && ($entry[0] ?? null) === 'made 2'
                ? Outcome::Refused
                : null,
        );

        self::assertSame('made 2', $cache->remember('k', self::opaque(static fn(): string => 'made 2'), 10.0, 60.0));
        $lease = $this->array->lease('k');
        self::assertNotNull($lease, 'the lease was given back');
        self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 10.0, 60.0));
    }

    public function testNoTimeMeansThatItIsMadeAndNotKept(): void
    {
        foreach ([0.0, -1.0] as $ttl) {
            self::assertStringStartsWith('made', $this->cache()->remember('k', $this->compute(), $ttl, 100.0));
            self::assertFalse($this->array->has('k'));
        }
        self::assertSame(2, $this->made);
        self::assertNotContains('getOrLease', $this->store->calls, 'nor is a lease asked for');

        $this->cache()->set('k', 'there');
        self::assertSame('there', $this->cache()->remember('k', $this->compute(), 0.0));
    }

    public function testTheTtlCanBeToldByTheValue(): void
    {
        $cache = $this->cache();
        $ttl = static fn(mixed $value): float => \is_string($value) ? (float) substr($value, 5) : 1e6;

        self::assertSame('for: 7', $cache->remember('k', self::opaque(static fn(): string => 'for: 7'), $ttl, 0.0));
        $this->pass(6.9);
        self::assertTrue($cache->has('k'));
        $this->pass(0.2);
        self::assertFalse($cache->has('k'));

        self::assertSame('for: 0', $cache->remember('k', self::opaque(static fn(): string => 'for: 0'), $ttl));
        self::assertFalse($cache->has('k'), 'and it may say that nothing is to be kept');
        self::assertNotNull($this->array->lease('k'), 'then the lease is given back');

        $cache->set('old', 'old', 1.0, 60.0);
        $this->pass(1.0);
        self::assertSame('for: 0', $cache->remember('old', self::opaque(static fn(): string => 'for: 0'), $ttl));
        self::assertSame('old', $cache->look('old')['old']->value, 'and the old one stays for others');
    }

    public function testADeferredRefreshHandsOutTheOldValueAndMakesTheNewOneLater(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, refresh: Refresh::AfterResponse));
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, 60.0), 'what is not there is made');
        $this->pass(10.0);
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, 60.0));
        }
        self::assertNull($this->array->lease('k'), 'the lease is kept for it');
        $cache->runDeferred();

        self::assertSame('made 2', $this->elsewhere()->get('k'));
        $cache->runDeferred();
        self::assertSame(2, $this->made);
    }

    public function testADeferredRefreshOfManyIsOneCompute(): void
    {
        $cache = $this->cache(new Settings(early: 0.0, refresh: Refresh::AfterResponse));
        $cache->setMultiple(['a' => 'old', 'b' => 'old'], 10.0, 60.0);
        $this->pass(10.0);
        $asked = [];
        $read = static function () use ($cache, &$asked): array {
            return $cache->rememberMultiple(['a', 'b', 'c'], static function (array $keys) use (&$asked): array {
                $asked[] = $keys;

                return array_fill_keys($keys, 'new');
            }, 10.0);
        };
        self::assertSame(['a' => 'old', 'b' => 'old', 'c' => 'new'], $read());
        $cache->runDeferred();

        self::assertSame(['a' => 'new', 'b' => 'new', 'c' => 'new'], $read());
        self::assertSame([['c'], ['a', 'b']], $asked);
    }

    public function testADeferredRefreshThatFailsIsLoggedAndTheOthersAreMade(): void
    {
        $log = new TestLog();
        $settings = new Settings(early: 0.0, refresh: Refresh::AfterResponse);
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, null, $settings, $log, $counters, $this->clock);
        $cache->setMultiple(['a' => 'old', 'b' => 'old'], 10.0, 60.0);
        $this->pass(10.0);
        $cache->remember('a', self::opaque(static fn(): never => throw new RuntimeException('it fails')), 10.0);
        $cache->remember('b', $this->compute(), 10.0);
        $cache->runDeferred();
        $cache->flush();

        self::assertSame(['error: The value of a was not made anew: it fails'], $log->lines());
        self::assertSame(['a' => 'old', 'b' => 'made 1'], $this->elsewhere()->getMultiple(['a', 'b']));
        self::assertNotNull($this->array->lease('a'), 'the lease is given back');
        self::assertSame([
            'larder_cache_compute_duration_seconds_count' => 2,
            'larder_cache_failed_refreshes_total' => 1,
            'larder_cache_requests_total{result="refresh"}' => 1,
        ], Counted::by($counters), 'each request once');
    }

    public function testAComputeThatAsksForItsOwnValueFailsClearly(): void
    {
        $cache = $this->cache();
        $this->expectException(OwnKey::class);
        $this->expectExceptionMessage('The compute of "a" asks for "a" itself (being made: a > b)');

        $cache->remember(
            'a',
            self::opaque(
                static fn(): mixed => $cache->remember(
                    'b',
                    self::opaque(static fn(): mixed => $cache->remember('a', static fn(): int => 1)),
                ),
            ),
        );
    }

    public function testAfterAnOwnKeyNothingIsLeftBehind(): void
    {
        $cache = $this->cache();
        try {
            $cache->remember('a', self::opaque(static fn(): mixed => $cache->remember('a', static fn(): int => 1)));
        } catch (OwnKey) {
        }

        self::assertSame('made 1', $cache->remember('a', $this->compute(), wait: 0.0));
        self::assertTrue($cache->has('a'));
    }

    public function testTheLeaseIsTenTimesWhatTheLastComputeTook(): void
    {
        $settings = new Settings();

        self::assertSame(30.0, $settings->leaseOf(null, null));
        self::assertSame(5.0, $settings->leaseOf(0.01, null));
        self::assertSame(20.0, $settings->leaseOf(2.0, null));
        self::assertSame(300.0, $settings->leaseOf(100.0, null));
        self::assertSame(7.0, $settings->leaseOf(2.0, 7.0));
        self::assertSame(8.0, (new Settings(lease: 8.0))->leaseOf(2.0, null));
    }

    public function testAHitAsksTheStoreOnce(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0);
        $this->store->calls = [];
        $cache->remember('k', $this->compute(), 10.0);
        self::assertSame(['get'], $this->store->calls, 'where each hit is looked at');

        $plain = new Cache($this->store);
        $plain->set('k', 'there');
        $this->store->calls = [];
        $plain->remember('k', $this->compute());
        self::assertSame(['get'], $this->store->calls, 'on the shortest path');
    }

    public function testAHitThatTellsWhatItReadsAsksOnceForTheValueAndTheVersions(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), reads: ['news:4', 'authors']);
        $this->store->calls = [];
        self::assertSame('made 1', $cache->remember('k', $this->compute(), reads: ['authors', 'news:4']));
        self::assertSame(['getMultiple'], $this->store->calls);

        $cache->change(['authors'], static fn(): null => null);
        self::assertSame('made 2', $cache->remember('k', $this->compute(), reads: ['news:4', 'authors']));
    }

    public function testWhatWasToldWhileItWasMadeIsAskedForToo(): void
    {
        $cache = $this->cache();
        $make = fn(): string => $cache->remember('k', function () use ($cache): string {
            $cache->reads('late');

            return 'made ' . ++$this->made;
        }, reads: ['news:4']);
        $make();
        $this->store->calls = [];
        self::assertSame('made 1', $make());
        self::assertSame(['getMultiple', 'getMultiple'], $this->store->calls);
        $cache->change(['late'], static fn(): null => null);

        self::assertSame('made 2', $make());
    }

    public function testTheShortestPathTakesTheSystemsClock(): void
    {
        $cache = new Cache(new ArrayStore(), null, new Settings(early: 0.0));

        self::assertSame('made 1', $cache->remember('long', $this->compute(), 3600.0));
        self::assertSame('made 1', $cache->remember('long', $this->compute(), 3600.0));
        self::assertSame('made 2', $cache->remember('short', $this->compute(), 0.02, 3600.0));
        usleep(25_000);
        self::assertSame('made 3', $cache->remember('short', $this->compute(), 3600.0));
    }
}
