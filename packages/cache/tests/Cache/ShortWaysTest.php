<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Cache\Entry;
use Larder\Cache\Look;
use Larder\Cache\Observer;
use Larder\Dependency\Gates;
use Larder\NearStore;
use Larder\SharedMemory;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;

/**
 * How often a hit asks the store. What a store can do is asked of its interface, so a class that forwards to it is as
 * fast.
 */
#[CoversClass(Look::class)]
#[CoversClass(Entry::class)]
#[Group('without')]
final class ShortWaysTest extends CacheCase
{
    /** @return iterable<string, array{NearStore}> */
    public static function nearStores(): iterable
    {
        yield 'array' => [new ArrayStore()];
        if (\extension_loaded('larder')) {
            yield 'shared memory' => [new SharedMemory('short ways')];
        }
    }

    #[DataProvider('nearStores')]
    public function testAHitOfANearStoreIsOneCallAlsoThroughAForwardingStore(NearStore $near): void
    {
        $near->clear();
        $store = new NearHookedStore($near);
        $cache = new Cache($store);
        $cache->remember('k', $this->compute(), 60.0);
        $store->calls = [];

        self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0));
        self::assertSame(['fresh'], $store->calls);
    }

    #[DataProvider('nearStores')]
    public function testAValueThatReadsSomethingIsOneCallToo(NearStore $near): void
    {
        $near->clear();
        $store = new NearHookedStore($near);
        $cache = new Cache($store, self::gates($store));
        $read = fn(): string => $cache->remember('k', $this->compute(), 60.0, reads: ['news']);
        $read();
        $store->calls = [];

        self::assertSame('made 1', $read());
        self::assertSame(['fresh'], $store->calls);
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0), 'told by another call');
        self::assertSame('made 1', $cache->get('k'));
        self::assertSame(['fresh', 'fresh', 'fresh', 'fresh', 'fresh'], $store->calls);
        $cache->change(['news'], fn() => self::assertSame('made 2', $cache->remember('k', $this->compute(), 60.0)));
        self::assertSame('made 3', $cache->remember('k', $this->compute(), 60.0, reads: ['news']));
    }

    #[DataProvider('nearStores')]
    public function testWhatIsMadeOfAHitIsMadeOfItsNamesToo(NearStore $near): void
    {
        $near->clear();
        $store = new NearHookedStore($near);
        $cache = new Cache($store, self::gates($store));
        $part = fn(): string => $cache->remember('part', $this->compute(), 60.0, reads: ['news']);
        $part();
        $whole = static fn(): string => $cache->remember('whole', static fn(): string => 'of ' . $part(), 60.0);

        $first = $whole();
        $cache->change(['news'], static fn(): null => null);
        self::assertSame(['of made 1', 'of made 2'], [$first, $whole()]);
    }

    #[DataProvider('nearStores')]
    public function testWhoMayHaveWrittenGetsNoOldHit(NearStore $near): void
    {
        $near->clear();
        $isOpen = false;
        $gates = new Gates($near, inTransaction: static function () use (&$isOpen): bool {
            return $isOpen;
        });
        $cache = new Cache($near, $gates);
        $cache->remember('k', $this->compute(), 60.0, reads: ['news']);
        $isOpen = true;

        self::assertSame('made 2', $cache->remember('k', $this->compute(), 60.0, reads: ['news']));
        self::assertFalse($cache->fetch('k'));
        $isOpen = false;
        self::assertSame('made 1', $cache->remember('k', $this->compute(), 60.0, reads: ['news']));
    }

    #[DataProvider('nearStores')]
    public function testAValueThatIsNullIsNotTakenByTheFirstCall(NearStore $near): void
    {
        $near->clear();
        $store = new NearHookedStore($near);
        $cache = new Cache($store, new Gates(new ArrayStore(), inTransaction: static fn(): bool => false));
        $cache->remember('null', static fn(): null => null, 60.0);
        $cache->remember('read', static fn(): int => 1, 60.0, reads: ['news']);
        $store->calls = [];

        $cache->remember('null', $this->compute(), 60.0);
        self::assertSame(0, $this->made);
        self::assertSame(['fresh', 'get'], $store->calls);
        $cache->remember('read', $this->compute(), 60.0, reads: ['news']);
        self::assertSame(0, $this->made, 'versions elsewhere');
        self::assertSame(['fresh', 'get', 'fresh', 'get'], $store->calls);
    }

    public function testAHitOfAnyOtherStoreIsOneGet(): void
    {
        $cache = new Cache($this->store, self::gates($this->store));
        $cache->remember('k', $this->compute(), 60.0);
        $this->store->calls = [];
        $cache->remember('k', $this->compute(), 60.0);
        self::assertSame(['get'], $this->store->calls);

        $cache->remember('reading', $this->compute(), 60.0, reads: ['news']);
        $cache->remember('k', $this->compute(), 60.0);
        $this->store->calls = [];
        $cache->remember('reading', $this->compute(), 60.0, reads: ['news']);
        self::assertSame(['getMultiple'], $this->store->calls, 'the value and the versions in one trip');
    }

    public function testAnObserverSeesTheHitsOfANearStoreToo(): void
    {
        $store = new NearHookedStore(new ArrayStore());
        $observer = $this->createMock(Observer::class);
        $observer->expects(self::exactly(2))->method('saw');
        $cache = new Cache($store, observer: $observer);
        $cache->remember('k', $this->compute(), 60.0);
        $cache->remember('k', $this->compute(), 60.0);

        self::assertNotContains('fresh', $store->calls);
    }

    public function testAChangeIsMadeKnownWhereNothingIsKept(): void
    {
        $isWritten = false;
        (new Cache(new NullStore()))->change(['news'], static function () use (&$isWritten): void {
            $isWritten = true;
        });

        self::assertTrue($isWritten);
    }
}
