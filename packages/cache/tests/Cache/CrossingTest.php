<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Answer;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Leases;
use Larder\Cache\Marks;
use Larder\Cache\Refresh;
use Larder\Cache\Settings;
use Larder\Cache\Waiting;
use Larder\Cache\Waits;
use Larder\Dependency\Gates;
use Larder\Exception\NotMadeInTime;
use Larder\Lease\LocalLease;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\ArrayStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;

/** Processes that make values and need those of each other, in virtual time. */
#[CoversClass(Waits::class)]
#[CoversClass(Marks::class)]
#[CoversClass(Leases::class)]
#[CoversClass(Waiting::class)]
final class CrossingTest extends TestCase
{
    /** Seconds; a process that waits for itself waits for that long at least. */
    private const LEASE = 30.0;

    private const COMPUTE = 300_000;

    private VirtualProcesses $processes;
    private ArrayStore $array;
    private HookedServer $store;

    protected function setUp(): void
    {
        $this->processes = new VirtualProcesses();
        $this->array = new ArrayStore($this->processes);
        $this->store = new HookedServer($this->array);
    }

    /** @return iterable<string, array{int, Closure(Cache, string, Closure(): string): string}> */
    public static function rings(): iterable
    {
        $ways = [
            'remember()' => self::remembered(...),
            'rememberMultiple()' => static function (Cache $cache, string $key, Closure $compute): string {
                $values = $cache->rememberMultiple(
                    [$key, $key . ' too'],
                    static fn(array $keys): array => array_fill_keys($keys, $compute()),
                );

                return self::text($values[$key]);
            },
            'TaggedCache' => static fn(
                Cache $cache,
                string $key,
                Closure $compute,
            ): string => self::text((new TaggedCache($cache))->get($key, $compute)),
        ];
        foreach ($ways as $name => $way) {
            foreach ([2, 3, 5] as $count) {
                yield "$name, $count" => [$count, $way];
            }
        }
    }

    /** @param Closure(Cache, string, Closure(): string): string $way */
    #[DataProvider('rings')]
    public function testARingEndsAtOnceAndEachHasItsValue(int $count, Closure $way): void
    {
        $this->ring($count, $way);
        foreach ($this->processes->run() as $number => [$seconds, $value]) {
            self::assertSame("outer of inner", $value, "process $number");
            self::assertLessThan(self::LEASE, $seconds);
        }
        // Each is made by the process that holds it, and one of them by the one that closed the ring besides.
        $inner = array_sum(array_map($this->processes->count(...), array_map(self::innerOf(...), range(1, $count))));
        self::assertSame(1, $inner, 'one of the ring does not wait, and with that the others get theirs');
        $this->assertNoMarkIsLeft($count);
    }

    public function testWithoutAStoreThatTakesTheMarkNobodyWhoMakesAValueWaits(): void
    {
        $this->store->on('set', static fn(string $key): ?Outcome => $key[0] === "\0" ? Outcome::Refused : null);
        $this->ring(2, self::remembered(...));

        self::assertLessThan(self::LEASE, $this->longest());
    }

    public function testAllThatNeedOneInnerValueWaitForItAndItIsMadeOnce(): void
    {
        $this->star(50, self::remembered(...), function (Cache $cache): string {
            $this->processes->note('inner');
            $this->processes->sleep(5_000_000);

            return 'inner';
        });
        $ends = $this->processes->run();

        self::assertSame(array_fill(0, 50, 'outer of inner'), array_column($ends, 1));
        self::assertSame(1, $this->processes->count('inner'));
    }

    public function testAChainIsNoRing(): void
    {
        $deep = function (): string {
            $this->processes->note('deep');
            $this->processes->sleep(5_000_000);

            return 'deep';
        };
        $this->processes->start(fn(): mixed => $this->cache()->remember('deep', $deep));
        $this->star(50, self::remembered(...), function (Cache $cache) use ($deep): string {
            $this->processes->note('inner');

            return 'inner of ' . $cache->remember('deep', $deep);
        });
        $this->processes->run();

        self::assertSame([1, 1], [$this->processes->count('inner'), $this->processes->count('deep')]);
    }

    public function testThoseThatWaitBehindARingWaitForIt(): void
    {
        $this->ring(3, self::remembered(...));
        for ($i = 0; $i < 20; ++$i) {
            $this->processes->start(function () use ($i): mixed {
                $cache = $this->cache();

                return $cache->remember("behind $i", fn(): mixed => $cache->remember(
                    'key 1',
                    fn(): string => $this->noted('behind the ring'),
                ));
            }, 0.2 + $i / 1000);
        }
        self::assertLessThan(self::LEASE, $this->longest());
        self::assertSame(0, $this->processes->count('behind the ring'));
    }

    public function testALeaseThatIsKeptForLaterIsOneThatOthersWaitFor(): void
    {
        $this->cache()->set('old', 'old', 10.0, 60.0);
        $settings = new Settings(lease: self::LEASE, early: 0.0, refresh: Refresh::AfterResponse);
        $this->processes->start(function () use ($settings): mixed {
            $cache = $this->cache($settings);
            $cache->remember('old', static fn(): string => 'new', 10.0);
            $this->processes->sleep(self::COMPUTE);

            return $cache->remember('inner', fn(): string => $this->noted('inner'));
        }, 11.0);
        $this->processes->start(function (): mixed {
            $cache = $this->cache();

            return $cache->remember('inner', function () use ($cache): string {
                $this->array->delete('old');
                $this->array->lease('old', self::LEASE);
                $this->processes->sleep(2 * self::COMPUTE);

                return $cache->remember('old', fn(): string => $this->noted('made here'));
            });
        }, 11.1);

        self::assertLessThan(self::LEASE, $this->longest());
    }

    public function testAWaitEndsByTheCallersOwnClockWhateverTheStoreSays(): void
    {
        $this->store->on('getOrLease', static fn(): Answer => new Answer());
        for ($i = 0; $i < 3; ++$i) {
            $this->processes->start(fn(): mixed => $this->cache()->remember('k', function (): string {
                $this->processes->sleep(self::COMPUTE);

                return $this->noted('made');
            }));
        }
        foreach ($this->processes->run() as [$seconds, $value]) {
            self::assertSame('made', $value);
            self::assertGreaterThan(self::LEASE, $seconds, 'as long as a lease somebody may be making it');
            self::assertLessThan(3 * self::LEASE, $seconds);
        }
        self::assertSame(1, $this->processes->count('made'), 'one of the host makes it, the others take that');
    }

    /** @return iterable<string, array{Answer}> */
    public static function lies(): iterable
    {
        yield 'somebody makes it' => [new Answer()];
        yield 'no answer' => [new Answer(answered: false)];
    }

    #[DataProvider('lies')]
    public function testNorDoesAnybodyWaitForAProcessOfTheHostThatNeverEnds(Answer $lie): void
    {
        $this->store->on('getOrLease', static fn(): Answer => $lie);
        $held = LocalLease::named($this->store->address() . "\0k");
        self::assertTrue($held?->take((int) hrtime(true), self::LEASE));
        $this->processes->start(fn(): mixed => $this->cache()->remember('k', static fn(): string => 'made'));
        [[$seconds, $value]] = $this->processes->run();
        $held->release();

        self::assertSame('made', $value);
        self::assertEqualsWithDelta(3 * self::LEASE, $seconds, 0.1);
    }

    public function testWithoutTheStoreARingOfTheHostEndsAtOnce(): void
    {
        $this->silence();
        $this->ring(3, self::remembered(...));
        foreach ($this->processes->run() as [$seconds, $value]) {
            self::assertSame('outer of inner', $value);
            self::assertLessThan(self::LEASE, $seconds);
        }
    }

    public function testWithoutTheStoreTheHostMakesAnInnerValueOnceForAllThatAskBeforeItBegins(): void
    {
        $this->silence();
        $this->star(50, self::remembered(...), function (): string {
            $this->processes->sleep(5_000_000);

            return $this->noted('inner');
        });

        self::assertSame(array_fill(0, 50, 'outer of inner'), array_column($this->processes->run(), 1));
        self::assertSame(2, $this->processes->count('inner'), 'for the first one, and for those that came after it');
    }

    public function testWhoHoldsALeaseOfTheStoreDoesNotWaitForAProcessOfTheHost(): void
    {
        // No server answers for key 2 here, nor for the mark of key 1. Key 3 is made by another host.
        $this->store->on('set', static fn(string $key): ?Outcome => $key === "\0mkey 1" ? Outcome::Refused : null);
        $this->store->on(
            'getOrLease',
            static fn(string $key): ?Answer => $key === 'key 2' ? new Answer(answered: false) : null,
        );
        $this->ring(3, self::remembered(...), [3 => new HookedServer($this->array)]);

        self::assertLessThan(self::LEASE, $this->longest());
    }

    public function testItEndsWithAnExceptionWhereTheSettingsSaySo(): void
    {
        $this->store->on('getOrLease', static fn(): Answer => new Answer());
        $this->processes->start(fn(): mixed => $this->cache(new Settings(
            lease: self::LEASE,
            afterWait: AfterWait::Fail,
        ))->remember('k', static fn(): string => 'made'));
        [[$seconds, $value]] = $this->processes->run();

        self::assertInstanceOf(NotMadeInTime::class, $value);
        self::assertEqualsWithDelta(3 * self::LEASE, $seconds, 0.05);
    }

    public function testWhoHoldsNothingOrWaitsForNothingLeavesNoMark(): void
    {
        $this->processes->start(function (): mixed {
            $cache = $this->cache();

            return $cache->remember('k', fn(): mixed => $cache->remember('inner', function (): string {
                $this->processes->sleep(self::COMPUTE);

                return 'inner';
            }));
        });
        $this->processes->start(fn(): mixed => $this->cache()->remember('inner', fn(): string => 'never'), 0.1);
        $this->store->on('set', function (string $key): null {
            $this->processes->note($key);

            return null;
        });
        $values = array_column($this->processes->run(), 1);

        self::assertSame([['inner', 'inner'], ['inner', 'k']], [$values, $this->processes->notes]);
    }

    public function testNoMoreProcessesWaitThanTheSettingsSay(): void
    {
        for ($i = 0; $i < 5; ++$i) {
            $this->processes->start(fn(): mixed => $this->cache(mostWaiting: 2)->remember('k', function (): string {
                $this->processes->sleep(self::COMPUTE);

                return $this->noted('made');
            }), $i / 1000);
        }
        // When the others are done there are places again, also for many keys.
        $this->processes->start(fn(): mixed => $this->cache(mostWaiting: 2)->remember('k2', function (): string {
            $this->processes->sleep(self::COMPUTE);

            return 'made';
        }), 2.0);
        $this->processes->start(fn(): mixed => $this->cache(mostWaiting: 2)->rememberMultiple(
            ['k2', 'k'],
            static fn(array $keys): array => array_fill_keys($keys, 'never'),
        ), 2.1);
        $ends = array_column($this->processes->run(), 1);

        self::assertSame(['made', 'made', 'made'], \array_slice($ends, 0, 3), 'one makes it, two wait');
        self::assertContainsOnlyInstancesOf(NotMadeInTime::class, \array_slice($ends, 3, 2));
        self::assertSame([1, 'made'], [$this->processes->count('made'), $ends[5]]);
        self::assertSame(['k2' => 'made', 'k' => 'made'], $ends[6]);
    }

    public function testWhoMayHaveAnOldValueTakesNoPlace(): void
    {
        $this->cache()->set('k', 'old', 1.0, 60.0);
        for ($i = 0; $i < 3; ++$i) {
            $this->processes->start(fn(): mixed => $this->cache(mostWaiting: 0)->remember('k', function (): string {
                $this->processes->sleep(self::COMPUTE);

                return 'made';
            }), 2.0 + $i / 1000);
        }

        self::assertSame(['made', 'old', 'old'], array_column($this->processes->run(), 1));
    }

    /** @return iterable<int, array{int}> */
    public static function seeds(): iterable
    {
        for ($seed = 1; $seed <= 40; ++$seed) {
            yield [$seed];
        }
    }

    #[DataProvider('seeds')]
    public function testWhereNoneNeedsItselfEachIsMadeOnce(int $seed): void
    {
        $random = new Randomizer(new Mt19937($seed));
        $needs = [];
        for ($key = 0; $key < 12; ++$key) {
            $further = range($key + 1, 14);
            $needs[$key] = array_map(
                static fn(int $place): int => $further[$place],
                $random->pickArrayKeys($further, $random->getInt(1, min(3, \count($further)))),
            );
        }
        $make = function (Cache $cache, int $key) use (&$make, $needs, $random): string {
            $work = $random->getInt(0, 400_000);

            return $cache->remember("key $key", function () use (&$make, $cache, $key, $needs, $work): string {
                foreach ($needs[$key] ?? [] as $needed) {
                    $make($cache, $needed);
                }
                $this->processes->sleep($work);

                return $this->noted("key $key");
            });
        };
        for ($process = 0; $process < 25; ++$process) {
            $key = $random->getInt(0, 14);
            $this->processes->start(fn(): string => $make($this->cache(), $key), $random->getInt(0, 500) / 1000);
        }
        foreach ($this->processes->run() as [, $value]) {
            self::assertIsString($value);
        }

        self::assertSame(array_unique($this->processes->notes), $this->processes->notes);
    }

    #[DataProvider('seeds')]
    public function testWhateverTheyNeedNobodyWaitsForItself(int $seed): void
    {
        $random = new Randomizer(new Mt19937($seed));
        for ($process = 0; $process < 12; ++$process) {
            $needed = [];
            for ($i = $random->getInt(1, 4); $i > 0; --$i) {
                $needed[] = 'key ' . ($process + $random->getInt(1, 11)) % 12;
            }
            $work = $random->getInt(0, 400_000);
            $together = $random->getInt(0, 1) === 1;
            $this->processes->start(function () use ($process, $needed, $work, $together): string {
                $cache = $this->cache();

                return $cache->remember("key $process", function () use ($cache, $needed, $work, $together): string {
                    foreach ($together ? [$needed] : array_chunk($needed, 1) as $keys) {
                        $this->processes->sleep($work);
                        $cache->rememberMultiple(
                            array_values(array_unique($keys)),
                            static fn(array $keys): array => array_fill_keys($keys, 'inner'),
                        );
                    }

                    return 'outer';
                });
            }, $random->getInt(0, 500) / 1000);
        }
        foreach ($this->processes->run() as [$seconds, $value]) {
            self::assertContains($value, ['inner', 'outer']);
            self::assertLessThan(self::LEASE, $seconds);
        }
    }

    /** @return float seconds that the slowest process ran */
    private function longest(): float
    {
        $seconds = array_column($this->processes->run(), 0);
        self::assertNotSame([], $seconds);

        return max($seconds);
    }

    private function silence(): void
    {
        $this->store->on('getOrLease', static fn(): Answer => new Answer(answered: false));
        $this->store->on('read', static fn(): Answer => new Answer(answered: false));
        $this->store->on('set', static fn(): Outcome => Outcome::Refused);
    }

    private function noted(string $what): string
    {
        $this->processes->note($what);

        return $what;
    }

    /**
     * @param Closure(Cache, string, Closure(): string): string $way
     * @param array<int, Store>                                 $stores by the number of a process of another host
     */
    private function ring(int $count, Closure $way, array $stores = []): void
    {
        for ($i = 1; $i <= $count; ++$i) {
            $this->processes->start(function () use ($way, $i, $count, $stores): string {
                $cache = $this->cache(store: $stores[$i] ?? null);

                return $way($cache, "key $i", function () use ($cache, $way, $i, $count): string {
                    $this->processes->sleep(self::COMPUTE);
                    $next = $i % $count + 1;

                    return 'outer of ' . self::last($way($cache, "key $next", fn(): string => $this->noted(
                        self::innerOf($next),
                    )));
                });
            }, $i / 100);
        }
    }

    /**
     * @param Closure(Cache, string, Closure(): string): string $way
     * @param Closure(Cache): string                            $inner
     */
    private function star(int $count, Closure $way, Closure $inner): void
    {
        for ($i = 0; $i < $count; ++$i) {
            $this->processes->start(function () use ($way, $i, $inner): string {
                $cache = $this->cache();

                return $way($cache, "key $i", function () use ($cache, $way, $inner): string {
                    $this->processes->sleep(10_000);

                    return 'outer of ' . $way($cache, 'inner', static fn(): string => $inner($cache));
                });
            }, 0.1 + $i / 1000);
        }
    }

    private static function innerOf(int $number): string
    {
        return "inner of $number";
    }

    /** The value of a ring is either what its own process makes, which is made from the next, or the inner one. */
    private static function last(string $value): string
    {
        return str_contains($value, 'inner') ? 'inner' : $value;
    }

    private static function text(mixed $value): string
    {
        self::assertIsString($value);

        return $value;
    }

    /** @param Closure(): string $compute */
    private static function remembered(Cache $cache, string $key, Closure $compute): string
    {
        return $cache->remember($key, $compute);
    }

    private function cache(?Settings $settings = null, ?Store $store = null, ?int $mostWaiting = null): Cache
    {
        $store ??= $this->store;
        $settings ??= new Settings(lease: self::LEASE, early: 0.0);

        $gates = new Gates($store, inTransaction: static fn(): bool => false);

        return new Cache($store, $gates, $settings, clock: $this->processes, mostWaiting: $mostWaiting);
    }

    private function assertNoMarkIsLeft(int $count): void
    {
        for ($i = 1; $i <= $count; ++$i) {
            self::assertFalse($this->array->has("\0mkey $i"));
        }
    }
}
