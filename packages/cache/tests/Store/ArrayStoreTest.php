<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\ArrayEntries;
use Larder\Store\ArrayStore;
use Larder\Store\Storable;
use Larder\Tests\Discovery\SteppedClock;
use Larder\Tests\Store\Contract\Near;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;
use ValueError;

/** The contract asks for nothing that only shared memory or a server could do. */
#[CoversClass(ArrayStore::class)]
#[CoversClass(ArrayEntries::class)]
#[CoversClass(Storable::class)]
#[CoversClass(Answer::class)]
#[CoversClass(UnstorableValue::class)]
#[Group('without')]
final class ArrayStoreTest extends StoreContract
{
    use Near;

    /** @var array<string, ArrayStore> */
    private array $stores = [];

    public function testTtlAndLeaseRunByTheClock(): void
    {
        $clock = new SteppedClock();
        $store = new ArrayStore($clock);
        $store->set('k', 1, 10.0);
        $lease = $store->lease('k', 5.0);
        self::assertNotNull($lease);
        $clock->seconds += 4.9;
        self::assertNull($store->lease('k'));
        $clock->seconds += 0.1;
        self::assertSame(Outcome::Exists, $store->set('k', 2, lease: $lease));
        self::assertSame(1, $store->get('k'));
        $clock->seconds += 5.0;

        self::assertFalse($store->has('k'));
    }

    public function testTheOneNotUsedForLongestGoesFirst(): void
    {
        $store = new ArrayStore(limit: 3);
        $store->setMultiple(['a' => 1, 'b' => 2, 'c' => 3]);
        $store->get('a');
        $store->set('b', 4);
        $store->set('d', 5);

        self::assertSame(['a' => 1, 'b' => 4, 'd' => 5], $store->getMultiple(['a', 'b', 'c', 'd']));
    }

    public function testThereIsNoStoreForNothing(): void
    {
        $this->expectException(ValueError::class);
        new ArrayStore(limit: 0);
    }

    public function testLeasesThatAreOverAreForgotten(): void
    {
        $clock = new SteppedClock();
        $store = new ArrayStore($clock);
        $held = $store->lease('held', 100.0);
        self::assertNotNull($held);
        $before = memory_get_usage();
        for ($round = 0; $round < 20; ++$round) {
            for ($key = 0; $key < 1000; ++$key) {
                $store->lease("$round $key", 1.0);
            }
            $clock->seconds += 2.0;
        }

        self::assertLessThan(2_000_000, memory_get_usage() - $before);
        self::assertSame(Outcome::Done, $store->set('held', 1, lease: $held));
    }

    protected function open(string $namespace): Store
    {
        return $this->stores[$namespace] ??= new ArrayStore();
    }
}
