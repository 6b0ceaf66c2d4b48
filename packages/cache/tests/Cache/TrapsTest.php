<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Generator;
use Larder\Answer;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Cache\State;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\MemoryCounters;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\OnServers;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;

/** What goes wrong in caches of this kind; killed processes and many readers are in ProcessesTest. */
#[CoversClass(Cache::class)]
final class TrapsTest extends CacheCase
{
    public function testNullIsAValue(): void
    {
        $this->assertIsMadeOnce(null);
    }

    public function testFalseIsAValue(): void
    {
        $this->assertIsMadeOnce(false);
    }

    public function testAGeneratorIsNamedInATypedError(): void
    {
        $this->assertIsUnstorable(static function (): Generator {
            yield 1;
        }, 'Generator');
    }

    public function testAClosureIsNamedInATypedError(): void
    {
        $this->assertIsUnstorable(static fn(): Closure => static fn(): int => 1, 'Closure');
    }

    /** @return iterable<string, array{float, float}> ttl; seconds after which it is no longer fresh */
    public static function ttls(): iterable
    {
        yield 'one second' => [1.0, 1.0];
        yield 'exactly 30 days' => [2_592_000.0, 2_592_000.0];
        yield 'more than 30 days' => [2_592_001.0, 2_592_001.0];
    }

    #[DataProvider('ttls')]
    public function testATtlIsCountedFromNowWhateverItsLength(float $ttl, float $end): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), $ttl, 10.0);
        $this->pass($end - 0.001);
        self::assertSame('made 1', $cache->remember('k', $this->compute(), $ttl, 10.0));
        $this->pass(0.001);
        self::assertSame('made 2', $cache->remember('k', $this->compute(), $ttl, 10.0));
    }

    public function testAWinnerSlowerThanItsLeaseDoesNotOverwriteTheNextOne(): void
    {
        $cache = $this->cache();
        $value = $cache->remember('k', self::opaque(function (): string {
            $this->pass(5.1);
            $this->elsewhere()->remember('k', static fn(): string => 'by the next one', 100.0);

            return 'too late';
        }), 100.0, lease: 5.0);

        self::assertSame('too late', $value, 'its caller gets it');
        self::assertSame('by the next one', $cache->get('k'));
    }

    /** @return iterable<string, array{float}> seconds that the other host's clock is ahead */
    public static function clocks(): iterable
    {
        yield 'equal clocks' => [0.0];
        yield 'the first one\'s clock behind' => [-300.0];
    }

    #[DataProvider('clocks')]
    public function testTwoWinnersInARowDoNotBothMakeIt(float $ahead): void
    {
        $cache = $this->cache();
        $cache->remember('k', static fn(): string => 'old', 10.0, 1000.0);
        $this->pass(10.0);
        // Between this one's look and its lease another one wins, makes and stores.
        $this->store->once('lease', function () use ($ahead): null {
            $other = $this->elsewhere(ahead: $ahead);
            if ($ahead < 0.0) {
                $other->set('k', 'new', 100.0, 1000.0);
            } else {
                $other->remember('k', static fn(): string => 'new', 100.0, 1000.0);
            }

            return null;
        });

        self::assertSame('new', $cache->remember('k', $this->compute(), 100.0, 1000.0));
        self::assertSame(0, $this->made);
        self::assertNotNull($this->array->lease('k'), 'the lease is given back');
    }

    public function testAValueThatWasTouchedMeanwhileIsNotMadeAnew(): void
    {
        $cache = $this->cache();
        $cache->remember('k', static fn(): string => 'old', 10.0, 1000.0);
        $this->pass(10.0);
        $this->store->once('lease', function (): null {
            $this->elsewhere()->touch('k', 100.0);

            return null;
        });

        self::assertSame('old', $cache->remember('k', $this->compute(), 10.0, 1000.0));
    }

    public function testTwoWinnersInARowOfAChangedValueDoNotBothMakeIt(): void
    {
        $cache = $this->cache();
        $cache->remember('k', static fn(): string => 'old', 10.0, reads: ['news:4']);
        $cache->change(['news:4'], static fn(): null => null);
        $this->store->once('lease', function (): null {
            $this->elsewhere()->remember('k', static fn(): string => 'new', 10.0, reads: ['news:4']);

            return null;
        });

        self::assertSame('new', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
        self::assertSame(0, $this->made);
    }

    public function testADeleteDuringARefreshIsNotUndone(): void
    {
        $cache = $this->cache();
        $cache->remember('k', static fn(): string => 'old', 10.0, 10.0);
        $this->pass(10.0);
        $value = $cache->remember('k', self::opaque(function (): string {
            $this->elsewhere()->delete('k');

            return 'made from what was there before';
        }), 10.0, 10.0);

        self::assertSame('made from what was there before', $value);
        self::assertFalse($cache->has('k'));
    }

    public function testAChangeDuringARefreshIsNotUndone(): void
    {
        $cache = $this->cache();
        $cache->remember('k', static fn(): string => 'old', 10.0, 10.0, ['news:4']);
        $this->pass(10.0);
        $value = $cache->remember('k', self::opaque(function (): string {
            $this->elsewhere()->change(['news:4'], static fn(): null => null);

            return 'made from what was there before';
        }), 10.0, 10.0, ['news:4']);

        self::assertSame('made from what was there before', $value);
        self::assertFalse($cache->has('k'));
        self::assertSame(
            'made 1',
            $this->elsewhere()->remember('k', $this->compute(), wait: 0.0),
            'the next one makes it at once',
        );
        self::assertTrue($cache->has('k'));
    }

    public function testAChangeBetweenTheReadingOfTheVersionAndTheStoringCounts(): void
    {
        $cache = $this->cache();
        $this->store->once('set', function (): null {
            $this->elsewhere()->change(['news:4'], static fn(): null => null);

            return null;
        });

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
        self::assertFalse($cache->has('k'));
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
    }

    public function testAChangeEndsTheOldValueAlsoInGrace(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4']);
        $this->pass(10.0);
        $cache->change(['news:4'], static fn(): null => null);
        $this->array->lease('k');

        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4'], wait: 0.01));
        self::assertFalse($cache->fetch('k'));
        self::assertFalse($cache->has('k'));
        self::assertSame([], $cache->getMultiple(['k']));
        self::assertSame(State::Missing, $cache->look('k')['k']->state);
    }

    public function testAChangeEndsAValueThatTheShortestPathWouldServe(): void
    {
        $store = new ArrayStore();
        $cache = new Cache($store, self::gates($store));
        for ($i = 1; $i <= 3; ++$i) {
            self::assertSame("made $i", $cache->remember('k', $this->compute(), 60.0, 60.0, ['news:4']));
            self::assertSame(
                "made $i",
                $cache->remember('k', $this->compute(), 60.0, 60.0),
                'also for who does not tell what it is made from',
            );
            $cache->change(['news:4'], static fn(): null => null);
        }
    }

    public function testAForeignArrayIsHandedOutAsItIsOnEveryPath(): void
    {
        $store = new ArrayStore();
        $cache = new Cache($store);
        foreach (['no number', 9e18, true, [1], null] as $foreign) {
            $value = ['~larder' => $foreign, 'resource' => 2];
            $store->set('k', $value);

            self::assertSame($value, $cache->remember('k', self::opaque($this->compute()), 60.0));
            self::assertSame($value, $cache->get('k'));
        }
    }

    public function testAHitOnAShorterPathTellsTheValueAroundItWhatItIsMadeFrom(): void
    {
        $store = new ArrayStore();
        $cache = new Cache($store, self::gates($store));
        $inner = fn(): mixed => $cache->remember('inner', $this->compute(), 60.0, reads: ['news:4']);
        self::assertSame('made 1', $inner());
        foreach (['made 1', 'made 2'] as $made) {
            for ($time = 0; $time < 2; ++$time) {
                self::assertSame([$made], $cache->remember('outer', static fn(): array => [$inner()], 60.0));
            }
            $cache->change(['news:4'], static fn(): null => null);
            self::assertSame('made ' . ((int) substr($made, 5) + 1), $inner());
        }
    }

    public function testAChangeOfWhatNobodyHasReadChangesNothing(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']);
        $cache->remember('none', $this->compute(), 10.0);
        self::assertSame('written', $cache->change(['news:5'], self::opaque(static fn(): string => 'written')));

        self::assertSame(['k' => 'made 1', 'none' => 'made 2'], $cache->getMultiple(['k', 'none']));
    }

    public function testWhatANestedComputeReadEndsTheOuterValueToo(): void
    {
        $cache = $this->cache();
        $make = fn(): mixed => $cache->remember(
            'outer',
            fn(): mixed => [++$this->made, $cache->remember('inner', static fn(): int => 1, reads: ['news:4'])],
        );
        $make();
        $cache->delete('outer');
        $make();
        $cache->change(['news:4'], static fn(): null => null);

        self::assertFalse($cache->has('outer'), 'also where the inner value was a hit');
        self::assertSame([3, 1], $make());
    }

    public function testAStoreFlushedDuringAComputeKeepsNothingOfIt(): void
    {
        $cache = $this->cache();
        $value = $cache->remember('k', self::opaque(function (): string {
            $this->array->clear();

            return 'value';
        }), 10.0, reads: ['news:4']);

        self::assertSame('value', $value);
        self::assertFalse($cache->has('k'));
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, reads: ['news:4']));
    }

    public function testAMissingVersionIsAMiss(): void
    {
        $versions = new ArrayStore($this->clock);
        $cache = new Cache($this->store, self::gates($versions), new Settings(early: 0.0), clock: $this->clock);
        $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4']);
        $this->store->calls = [];
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4']));
        self::assertSame(['get'], $this->store->calls, 'the versions are asked for where they lie');
        $versions->clear();

        self::assertFalse($cache->has('k'));
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4']));
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 10.0, 10.0, ['news:4']));
    }

    public function testWhereAnotherHostsClockIsAheadAValueEndsAfterItsTtlAndGraceAllTheSame(): void
    {
        $log = new TestLog();
        $counters = new MemoryCounters();
        $cache = new Cache($this->store, null, new Settings(early: 0.0), $log, $counters, $this->clock);
        $this->elsewhere(ahead: 300.0)->remember('k', static fn(): string => 'from the other host', 60.0, 30.0);
        $this->pass(89.9);
        self::assertSame(
            'from the other host',
            $cache->remember('k', $this->compute(), 60.0, 30.0),
            'fresh for too long',
        );
        $this->pass(0.1);
        self::assertSame(
            'made 1',
            $cache->remember('k', $this->compute(), 60.0, 30.0),
            'but no longer than the store keeps it',
        );

        self::assertSame(
            [
                'warning: The value of k has a time that is 210.1 s off: the clocks of two hosts differ, or a clock '
                    . 'was set. It is kept no longer than ttl + grace all the same.',
            ],
            $log->lines(),
        );
        $cache->flush();
        self::assertSame(1, Counted::by($counters)['larder_cache_clocks_apart_total']);
    }

    public function testWhereOnesOwnClockIsAheadAValueIsMadeAnewOnceNotByEveryCall(): void
    {
        $log = new TestLog();
        $this->elsewhere()->remember('k', static fn(): string => 'from the other host', 60.0, 30.0);
        $clock = clone $this->clock;
        $clock->seconds += 300.0;
        $cache = new Cache($this->store, null, new Settings(early: 0.0), $log, clock: $clock);
        $lease = (int) $this->array->lease('k');
        self::assertSame('from the other host', $cache->remember('k', $this->compute(), 60.0, 30.0));
        self::assertStringStartsWith('warning: The value of k has a time that is 210 s off', $log->lines()[0] ?? '');
        $this->array->release('k', $lease);

        for ($i = 0; $i < 5; ++$i) {
            self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0, 30.0));
            self::assertSame('made 1', $this->elsewhere()->remember('k', $this->compute(), 60.0, 30.0));
        }
    }

    public function testAClockThatIsSetBackKeepsAValueForSoMuchLonger(): void
    {
        $cache = $this->cache();
        $cache->remember('k', $this->compute(), 60.0, 0.0);
        $this->pass(-300.0);
        self::assertSame(-300.0, $cache->look('k')['k']->age);
        $this->pass(359.9);
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0, 0.0));
        $this->pass(0.1);
        self::assertSame('made 2', $cache->remember('k', $this->compute(), 60.0, 0.0));
    }

    public function testLargeValues(): void
    {
        $cache = $this->cache();
        foreach ([1 << 20, (1 << 20) + 1, 5_000_000] as $bytes) {
            $value = str_repeat('x', $bytes);
            self::assertSame($value, $cache->remember("k$bytes", static fn(): string => $value));
            self::assertSame($value, $cache->remember("k$bytes", static fn(): string => 'made anew'));
        }
    }

    /** @return iterable<string, array{string}> */
    public static function keys(): iterable
    {
        foreach ([1, 249, 250, 251, 1000, 1001, 1024, 1025, 10_000] as $length) {
            yield "$length bytes" => [str_repeat('k', $length)];
            yield "$length bytes, another end" => [str_repeat('k', $length - 1) . 'x'];
        }
        yield 'zero' => ['0'];
        yield 'a number' => ['17'];
        yield 'a space' => [' '];
        yield 'lines' => ["a\r\nb"];
        yield 'reserved by PSR-6' => ['{}()/\\@:'];
        yield 'NUL' => ["\0"];
        yield 'NUL inside' => ["a\0b"];
        yield 'all bytes' => [implode('', array_map(chr(...), range(0, 255)))];
        yield 'no UTF-8' => ["\xff\xfe"];
        yield 'the cache\'s own: a long key' => ["\0k" . hash('sha256', str_repeat('k', 1001))];
        yield 'the cache\'s own: a version' => ["\0vnews:4"];
    }

    #[DataProvider('keys')]
    public function testEveryKeyIsItself(string $key): void
    {
        $store = new ArrayStore();
        $cache = new Cache($store, self::gates($store));
        foreach (self::keys() as [$other]) {
            $cache->remember($other, static fn(): string => sha1($other), 60.0);
        }
        $cache->remember('made from', static fn(): int => 1, reads: ['news:4']);

        self::assertSame(sha1($key), $cache->remember($key, $this->compute(), 60.0));
        self::assertSame(sha1($key), $cache->get($key));
        self::assertSame(sha1($key), $cache->rememberMultiple([$key], static fn(): array => [])[$key]);
        self::assertSame(sha1($key), $cache->look($key)[$key]->value);
        self::assertTrue($cache->delete($key));
        self::assertFalse($cache->has($key));
        self::assertSame('made 1', $cache->remember($key, $this->compute(), 60.0));
        self::assertTrue($cache->has('made from'));
    }

    /** @return iterable<string, array{list<string>, bool, string, bool}> */
    public static function joined(): iterable
    {
        yield 'of which nobody knows here what it was made from' => [['news:4'], false, 'made 1', false];
        yield 'that its ttl alone bounds' => [[], false, 'made 1', true];
        yield 'that is of no use here, since its data changed meanwhile' => [['news:4'], true, 'made 2', true];
    }

    /**
     * The store gives no lease, so this process takes what another one of the host made meanwhile.
     *
     * @param list<string> $reads
     */
    #[DataProvider('joined')]
    public function testWhatIsMadeFromAValueOfAnotherProcess(
        array $reads,
        bool $changes,
        string $value,
        bool $isStored,
    ): void {
        $address = __METHOD__ . bin2hex(random_bytes(8));
        [$here, $there] = [$this->silentStore($address), $this->silentStore($address)];
        $cache = new Cache($here, self::gates($here), new Settings(early: 0.0), clock: $this->clock);
        $other = new Cache($there, self::gates($there), new Settings(early: 0.0), clock: $this->clock);
        $make = function () use ($reads, $changes): string {
            $this->elsewhere()->change($changes ? $reads : ['another'], static fn(): null => null);

            return ($this->compute())();
        };
        $here->on('getOrLease', static function (string $key) use ($other, $make, $reads): ?Answer {
            if ($key === 'inner') {
                $other->remember('inner', $make, 60.0, reads: $reads);
            }

            return $key === 'inner' ? new Answer(answered: false) : null;
        });
        $outer = $cache->remember('outer', fn(): array => [$cache->remember('inner', $this->compute(), 60.0)], 60.0);
        $left = sys_get_temp_dir() . '/larder-' . posix_geteuid() . '/' . hash('sha256', "$address\0inner");
        unlink($left);
        @unlink("$left.made");

        self::assertSame([[$value], $isStored], [$outer, $cache->has('outer')]);
    }

    /** A store on a server that gives no lease for the key "inner". */
    private function silentStore(string $address): HookedStore
    {
        $store = new class ($this->array, $address) extends HookedStore implements OnServers {
            public function __construct(Store $store, private readonly string $address)
            {
                parent::__construct($store);
            }

            public function address(): string
            {
                return $this->address;
            }
        };
        $store->on('getOrLease', static fn(): Answer => new Answer(answered: false));

        return $store;
    }

    private function assertIsMadeOnce(mixed $value): void
    {
        foreach ([$this->cache(), new Cache(new ArrayStore())] as $cache) {
            $made = 0;
            for ($i = 0; $i < 3; ++$i) {
                self::assertSame($value, $cache->remember('k', static function () use (&$made, $value): mixed {
                    ++$made;

                    return $value;
                }, 10.0));
                self::assertSame(
                    ['k' => $value],
                    $cache->rememberMultiple(['k'], static fn(): array => ['k' => 'made']),
                );
            }
            self::assertSame(1, $made);
        }
    }

    /** @param Closure(): mixed $compute */
    private function assertIsUnstorable(Closure $compute, string $type): void
    {
        try {
            $this->cache()->remember('news list', $compute, 10.0);
            self::fail('it was stored');
        } catch (UnstorableValue $exception) {
            self::assertStringStartsWith(
                "The value of \"news list\", of type $type, cannot be stored: \$value",
                $exception->getMessage(),
            );
            self::assertStringContainsString($type, substr($exception->getMessage(), 50));
        }
        self::assertNotNull($this->array->lease('news list'), 'the lease is given back');
    }
}
