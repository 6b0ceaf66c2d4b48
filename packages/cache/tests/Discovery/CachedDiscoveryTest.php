<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use Larder\Discovery\CachedDiscovery;
use Larder\Exception\NoServersFound;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(CachedDiscovery::class)]
final class CachedDiscoveryTest extends TestCase
{
    private GivenServers $source;
    private Store $store;
    private SteppedClock $clock;
    private TestLog $log;

    protected function setUp(): void
    {
        $this->source = new GivenServers(['a' => 1, 'b' => 2]);
        $this->store = new ArrayStore();
        $this->clock = new SteppedClock();
        $this->log = new TestLog();
    }

    public function testOneAsksForAllUntilTheTimeIsOver(): void
    {
        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        $this->source->servers = ['c' => 1];
        $this->clock->seconds += 9.9;
        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(1, $this->source->asked);
        $this->clock->seconds += 0.2;

        self::assertSame(['c' => 1], $this->discovery()->servers());
        self::assertSame(['c' => 1], $this->discovery()->servers());
        self::assertSame(2, $this->source->asked);
    }

    public function testOthersGoOnWithTheOldListWhileOneAsks(): void
    {
        $this->discovery()->servers();
        $this->clock->seconds += 11;
        $this->source->servers = ['c' => 1];
        $lease = $this->store->lease('larder.servers');

        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(1, $this->source->asked);
        $this->store->release('larder.servers', (int) $lease);
        self::assertSame(['c' => 1], $this->discovery()->servers());
    }

    public function testNobodyWaitsForAnotherAtTheStart(): void
    {
        $lease = $this->store->lease('larder.servers');

        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertFalse($this->store->has('larder.servers'), 'the one with the lease keeps it');
        self::assertTrue($this->store->release('larder.servers', (int) $lease));
    }

    public function testTheLastGoodListServesWhileTheSourceFails(): void
    {
        $this->discovery()->servers();
        $this->source->servers = null;
        $this->clock->seconds += 100;

        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(2, $this->source->asked, 'not at every call');
        self::assertSame(
            ['error: The list of memcached servers stays as it was. Nobody answers.'],
            $this->log->lines(),
        );
        $this->source->servers = ['c' => 1];
        $this->clock->seconds += 5.1;
        self::assertSame(['c' => 1], $this->discovery()->servers());
    }

    public function testAFailureAtTheStartLeavesNoLease(): void
    {
        $this->source->servers = null;
        try {
            $this->discovery()->servers();
            self::fail('Nobody knows a list.');
        } catch (NoServersFound) {
            self::assertNotNull($this->store->lease('larder.servers'));
        }
    }

    public function testAClockThatWasSetBackMakesNoListEternal(): void
    {
        $this->discovery()->servers();
        $this->source->servers = ['c' => 1];
        $this->clock->seconds -= 1000;

        self::assertSame(['c' => 1], $this->discovery()->servers());
    }

    /** @return iterable<string, array{mixed}> */
    public static function strangers(): iterable
    {
        yield 'a string' => ['a'];
        yield 'nothing' => [[]];
        yield 'no servers' => [['servers' => [], 'until' => 1e9]];
        yield 'no weights' => [['servers' => ['a' => 'x'], 'until' => 1e9]];
        yield 'no server' => [['servers' => ['a b' => 1], 'until' => 1e9]];
        yield 'no time' => [['servers' => ['a' => 1], 'until' => null]];
    }

    #[DataProvider('strangers')]
    public function testWhatAnotherPutThereIsNoList(mixed $value): void
    {
        $this->store->set('larder.servers', $value);

        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(1, $this->source->asked);
    }

    public function testWithoutAStoreTheSourceIsAskedEachTime(): void
    {
        $this->store = new NullStore();
        $this->discovery()->servers();

        self::assertSame(['a' => 1, 'b' => 2], $this->discovery()->servers());
        self::assertSame(2, $this->source->asked);
    }

    private function discovery(): CachedDiscovery
    {
        return new CachedDiscovery($this->source, $this->store, 10.0, log: $this->log, clock: $this->clock);
    }
}
