<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Cache\Entry;
use Larder\Cache\Look;
use Larder\Cache\Observer;
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
    public function testAValueThatIsNullOrReadsSomethingIsNotTakenByTheFirstCall(NearStore $near): void
    {
        $near->clear();
        $store = new NearHookedStore($near);
        $cache = new Cache($store, self::gates($store));
        foreach (['null' => [], 'reading' => ['news']] as $key => $reads) {
            $cache->remember($key, static fn(): ?string => $key === 'null' ? null : $key, 60.0, reads: $reads);
            $store->calls = [];
            $value = $cache->remember($key, $this->compute(), 60.0, reads: $reads);
            self::assertSame($key === 'null' ? null : $key, $value);
        }

        self::assertSame(['fresh', 'get', 'getMultiple'], $store->calls);
        $cache->change(['news'], static fn(): null => null);
        self::assertSame('made 1', $cache->remember('reading', $this->compute(), 60.0, reads: ['news']));
    }

    public function testAHitOfAnyOtherStoreIsOneGet(): void
    {
        $cache = new Cache($this->store, self::gates($this->store));
        $cache->remember('k', $this->compute(), 60.0);
        $this->store->calls = [];
        $cache->remember('k', $this->compute(), 60.0);
        self::assertSame(['get'], $this->store->calls);

        $cache->remember('reading', $this->compute(), 60.0, reads: ['news']);
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
