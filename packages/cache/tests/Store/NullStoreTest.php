<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Answer;
use Larder\Cache;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\NullStore;
use Larder\Tests\Store\Contract\KeysAndValues;
use Larder\Tests\Store\Contract\ThrowsWhenRead;
use Larder\Tests\Store\Contract\ThrowsWhenStored;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use ValueError;

#[CoversClass(NullStore::class)]
#[CoversClass(Answer::class)]
#[Group('without')]
final class NullStoreTest extends TestCase
{
    public function testEveryReadIsAMiss(): void
    {
        $store = new NullStore();
        $store->set('k', 1);

        self::assertSame('default', $store->get('k', 'default'));
        self::assertNull($store->get('k'));
        self::assertFalse($store->has('k'));
        self::assertSame([], $store->getMultiple(['k', '7']));
        self::assertEquals(new Answer(), $store->read('k'));
    }

    public function testEveryWriteIsRefused(): void
    {
        $store = new NullStore();

        self::assertSame(array_fill(0, 9, Outcome::Refused), [
            $store->set('k', 1),
            $store->add('k', 1),
            $store->replace('k', 1),
            $store->cas('k', 1, 1),
            $store->delete('k'),
            $store->touch('k'),
            $store->increment('k', 1, 1), $store->decrement('k'), $store->clear(),
        ]);
        self::assertSame(['k' => Outcome::Refused, 7 => Outcome::Refused], $store->setMultiple(['k' => 1, '7' => 2]));
        self::assertSame(['k' => Outcome::Refused, 7 => Outcome::Refused], $store->deleteMultiple(['k', '7']));
    }

    public function testNobodyWaitsForAnother(): void
    {
        $store = new NullStore();
        $first = $store->getOrLease('k');
        $second = $store->getOrLease('k');

        self::assertFalse($first->hit);
        self::assertNotNull($first->lease);
        self::assertNotNull($second->lease);
        self::assertSame(Outcome::Refused, $store->set('k', 1, lease: $first->lease));
        self::assertTrue($store->release('k', $store->lease('k')));
    }

    public function testItHasNothingThatCouldNotBeRead(): void
    {
        $counters = new MemoryCounters();
        $cache = new Cache(new NullStore(), log: new NullLogger(), counters: $counters);
        foreach ([new ThrowsWhenStored(), new ThrowsWhenRead()] as $value) {
            for ($call = 0; $call < 2; ++$call) {
                self::assertSame($value, $cache->remember('k', static fn(): object => $value, ttl: 600));
                self::assertSame(
                    ['k' => $value],
                    $cache->rememberMultiple(['k'], static fn(): array => ['k' => $value], ttl: 600),
                );
            }
            self::assertSame(Outcome::Refused, (new NullStore())->set('k', $value));
        }
        $cache->flush();
        $failures = array_filter(
            array_keys($counters->all()),
            static fn(string $series): bool => str_contains($series, 'failures'),
        );
        self::assertSame([], $failures);
    }

    /** @param Closure(Store, string): mixed $call */
    #[DataProviderExternal(ArrayStoreTest::class, 'calls')]
    public function testAWrongKeyIsAMistakeHereToo(Closure $call): void
    {
        $this->expectException(ValueError::class);
        $call(new NullStore(), '');
    }

    /** @see KeysAndValues::keys() */
    #[DataProviderExternal(ArrayStoreTest::class, 'keys')]
    public function testAnyBytesAreAKey(string $key): void
    {
        self::assertSame(Outcome::Refused, (new NullStore())->set($key, 1));
    }
}
