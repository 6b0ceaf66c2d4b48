<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use ArrayIterator;
use Closure;
use DateInterval;
use Generator;
use Larder\Cache;
use Larder\Exception\LarderException;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Key;
use Larder\Psr\SimpleCache;
use Larder\Psr\Time;
use Larder\Store\NullStore;
use Larder\Tests\Store\Contract\ThrowsWhenRead;
use Larder\Tests\Store\Contract\ThrowsWhenStored;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\SimpleCache\CacheInterface;
use Psr\SimpleCache\InvalidArgumentException;
use Throwable;
use TypeError;

/** PSR-16, on the store that LARDER_TEST_STORE names; StoresTest runs it on all of them. */
#[CoversClass(SimpleCache::class)]
#[CoversClass(\Larder\Psr\Values::class)]
#[CoversClass(InvalidArgument::class)]
#[CoversClass(Key::class)]
#[CoversClass(Time::class)]
final class SimpleCacheTest extends Conformance
{
    public static function table(): array
    {
        return [
            ['0', 'the interface is implemented before anything is added', 'testIsTheInterface'],
            ['1.2 Implementing Library', 'there is a class that implements the interface', 'testIsTheInterface'],
            ['1.2 Implementing Library', 'a TTL works to the whole second', 'testIsOverWhenItsTimeIs'],
            ['1.2 Expiration', 'what has reached its time is expired', 'testIsOverWhenItsTimeIs'],
            ['1.2 Expiration', 'without a TTL and a default it is kept for ever', 'testWithoutTimeItIsKept'],
            ['1.2 Expiration', 'a TTL of 0 or less deletes what is there', 'testTimeOfNothingDeletes'],
            ['1.2 Key', 'letters, digits, _ and . in UTF-8, 64 of them', 'testTakesKeys'],
            ['1.2 Key', 'no less than that', 'testTakesKeys'],
            ['1.2 Key', 'a key comes back as it was given', 'testKeysComeBackAsTheyWere'],
            ['1.2 Key', 'reserved characters are refused', 'testGetRefusesKeys'],
            ['1.3', 'without a default TTL it is the longest that there is', 'testWithoutTimeItIsKept'],
            ['1.3', 'where there can be no TTL it is ignored', 'testWithoutAStoreATtlIsIgnored'],
            ['1.4', 'all values that serialize() takes', 'testReturnsExactlyWhatWasStored'],
            ['1.4', 'values come back exactly, their type included', 'testReturnsExactlyWhatWasStored'],
            ['1.4', 'what cannot come back exactly is a miss', 'testWhatDoesNotComeBackIsAMiss'],
            ['2.1', 'instances are independent of each other', 'testInstancesAreIndependent'],
            ['CacheInterface::get', 'a bad key is refused', 'testGetRefusesKeys'],
            ['CacheInterface::set', 'a bad key is refused', 'testSetRefusesKeys'],
            ['CacheInterface::delete', 'a bad key is refused', 'testDeleteRefusesKeys'],
            ['CacheInterface::getMultiple', 'no iterable, or a bad key, is refused', 'testGetMultipleRefusesKeys'],
            ['CacheInterface::getMultiple', 'no iterable is refused', 'testWhatCannotBeIteratedIsRefused'],
            ['CacheInterface::setMultiple', 'a bad key or value is refused', 'testSetMultipleRefusesKeys'],
            ['CacheInterface::setMultiple', 'a value that cannot be stored is refused', 'testSetMultipleRefusesValues'],
            ['CacheInterface::setMultiple', 'no iterable is refused', 'testWhatCannotBeIteratedIsRefused'],
            ['CacheInterface::deleteMultiple', 'a bad key is refused', 'testDeleteMultipleRefusesKeys'],
            ['CacheInterface::deleteMultiple', 'no iterable is refused', 'testWhatCannotBeIteratedIsRefused'],
            ['CacheInterface::has', 'a bad key is refused', 'testHasRefusesKeys'],
            ['InvalidArgumentException', 'what is thrown for a bad argument implements it', 'testARefusalIsOfAllKinds'],
        ];
    }

    public static function interfaces(): array
    {
        return [CacheInterface::class, InvalidArgumentException::class];
    }

    /** @return iterable<string, array{mixed}> */
    public static function noStrings(): iterable
    {
        yield 'integer' => [5];
        yield 'float' => [2.5];
        yield 'null' => [null];
        yield 'bool' => [true];
        yield 'array' => [[]];
        yield 'object' => [new ArrayIterator([])];
    }

    public function testIsTheInterface(): void
    {
        self::assertContains(CacheInterface::class, class_implements($this->simple()));
    }

    #[DataProvider('values')]
    public function testReturnsExactlyWhatWasStored(mixed $value): void
    {
        $cache = $this->simple();

        self::assertTrue($cache->set('k', $value));
        self::assertSame($value, $cache->get('k', 'a miss'));
        self::assertTrue($cache->has('k'));
        self::assertSame(['k' => $value], $cache->getMultiple(['k'], 'a miss'));
    }

    #[DataProvider('objects')]
    public function testObjectsComeBackEqual(object $value): void
    {
        $cache = $this->simple();
        $cache->set('k', [$value]);

        self::assertEquals([$value], $cache->get('k'));
    }

    public function testAnObjectIsStoredAsItIsNow(): void
    {
        $cache = $this->simple();
        $object = new LinkedObject('before');
        $cache->set('k', $object);
        $object->next = new LinkedObject('after');
        $found = $cache->get('k');

        self::assertInstanceOf(LinkedObject::class, $found);
        self::assertNull($found->next);
        self::assertNotSame($found, $cache->get('k'));
    }

    public function testAMissIsTheDefault(): void
    {
        $cache = $this->simple();

        self::assertNull($cache->get('k'));
        self::assertSame(7, $cache->get('k', 7));
        self::assertFalse($cache->has('k'));
        self::assertSame(['b' => 7, 'a' => 7], $cache->getMultiple(['b', 'a'], 7));
    }

    #[DataProvider('goodKeys')]
    public function testTakesKeys(string $key): void
    {
        $cache = $this->simple();
        $all = array_column(iterator_to_array(self::goodKeys()), 0);
        foreach ($all as $i => $other) {
            self::assertTrue($cache->set($other, $i), $other);
        }

        self::assertSame(array_search($key, $all, true), $cache->get($key));
        self::assertTrue($cache->delete($key));
        self::assertSame(
            [$key],
            array_values(array_filter($all, static fn(string $other): bool => !$cache->has($other))),
        );
    }

    public function testKeysComeBackAsTheyWere(): void
    {
        $cache = $this->simple();
        $keys = array_column(iterator_to_array(self::goodKeys()), 0);

        self::assertSame($keys, array_map(strval(...), array_keys($cache->getMultiple($keys))));
    }

    public function testKeepsTheOrderOfKeys(): void
    {
        $cache = $this->simple();
        $cache->setMultiple(['a' => 1, 'c' => 3]);

        self::assertSame(['c' => 3, 'b' => 'none', 'a' => 1], $cache->getMultiple(['c', 'b', 'a', 'c'], 'none'));
    }

    public function testTakesWhatCanBeIterated(): void
    {
        $cache = $this->simple();
        $pairs = static function (): Generator {
            yield 'a' => 1;
            yield '7' => 2;
            yield 8 => 3;
        };
        $keys = static function (): Generator {
            yield 'x' => 'a';
            yield 'x' => '7';
            yield 'x' => '8';
        };

        self::assertTrue($cache->setMultiple($pairs()));
        self::assertSame(['a' => 1, 7 => 2, 8 => 3], $cache->getMultiple($keys()));
        self::assertSame(['a' => 1], $cache->getMultiple(new ArrayIterator(['a'])));
        self::assertSame([], $cache->getMultiple([]));
        self::assertTrue($cache->setMultiple([]));
        self::assertTrue($cache->deleteMultiple([]));
        self::assertTrue($cache->deleteMultiple($keys()));
        self::assertSame([false, false, false], array_map($cache->has(...), ['a', '7', '8']));
    }

    public function testSetsAndDeletesMany(): void
    {
        $cache = $this->simple();

        self::assertTrue($cache->setMultiple(['0' => 'zero', 'b' => null, 'c' => false]));
        self::assertSame('zero', $cache->get('0'));
        self::assertSame(['b' => null, 'c' => false, 'd' => 'none'], $cache->getMultiple(['b', 'c', 'd'], 'none'));
        self::assertTrue($cache->deleteMultiple(['b', 'd']));
        self::assertFalse($cache->has('b'));
        self::assertTrue($cache->has('c'));
    }

    public function testDeletesWhatIsNotThere(): void
    {
        self::assertTrue($this->simple()->delete('k'));
        self::assertTrue($this->simple()->deleteMultiple(['k', 'l']));
        self::assertTrue($this->simple()->clear());
    }

    public function testIsOverWhenItsTimeIs(): void
    {
        $cache = $this->simple();
        $cache->set('second', 1, 1);
        $cache->set('interval', 1, new DateInterval('PT1S'));
        $cache->setMultiple(['many' => 1], 1);
        $cache->set('hour', 1, 3600);
        $cache->set('hours', 1, new DateInterval('P1M'));
        $stored = microtime(true);
        self::assertTrue($cache->has('hour'));
        self::waitUntil($stored + self::SECOND);

        self::assertSame(
            ['second' => 0, 'interval' => 0, 'many' => 0, 'hour' => 1, 'hours' => 1],
            $cache->getMultiple(['second', 'interval', 'many', 'hour', 'hours'], 0),
        );
        self::assertFalse($cache->has('second'));
        self::assertSame(0, $cache->get('second', 0));
    }

    public function testWithoutTimeItIsKept(): void
    {
        $cache = $this->simple();
        foreach ([
            'null' => null,
            'longest' => PHP_INT_MAX,
            'thirty days' => 2_592_000,
            'more' => 2_592_001,
            'interval' => new DateInterval('P200Y'),
        ] as $key => $ttl) {
            self::assertTrue($cache->set($key, 1, $ttl), $key);
            self::assertTrue($cache->has($key), $key);
        }
    }

    public function testATimeInPlaceOfAPeriodIsRefused(): void
    {
        $cache = $this->simple();
        foreach ([
            static fn(): bool => $cache->set('k', 1, 1_800_000_000),
            static fn(): bool => $cache->setMultiple(['k' => 1], 1_800_000_000),
        ] as $call) {
            try {
                $call();
                self::fail('It took it.');
            } catch (InvalidArgumentException $exception) {
                self::assertStringContainsString('1800000000 looks like a Unix time', $exception->getMessage());
            }
        }
        self::assertFalse($cache->has('k'));
    }

    public function testTimeOfNothingDeletes(): void
    {
        $cache = $this->simple();
        $past = new DateInterval('PT1S');
        $past->invert = 1;
        foreach ([0, -1, PHP_INT_MIN, new DateInterval('PT0S'), $past] as $ttl) {
            $cache->setMultiple(['a' => 1, 'b' => 1]);

            self::assertTrue($cache->set('a', 2, $ttl));
            self::assertTrue($cache->setMultiple(['b' => 2], $ttl));
            self::assertSame(['a' => 0, 'b' => 0], $cache->getMultiple(['a', 'b'], 0));
        }
    }

    public function testClearsAll(): void
    {
        $cache = $this->simple();
        $cache->setMultiple(['a' => 1, 'b' => 2]);

        self::assertTrue($cache->clear());
        self::assertSame(['a' => 0, 'b' => 0], $cache->getMultiple(['a', 'b'], 0));
        self::assertTrue($cache->set('a', 3));
        self::assertSame(3, $cache->get('a'));
    }

    public function testInstancesAreIndependent(): void
    {
        $cache = $this->simple();
        $other = new SimpleCache(new Cache($this->otherStore()));
        $cache->set('k', 1);
        $other->set('k', 2);
        $other->set('other', 2);
        self::assertSame(1, $cache->get('k'));
        self::assertTrue($cache->clear());

        self::assertFalse($cache->has('k'));
        self::assertSame(2, $other->get('k'));
        self::assertTrue($cache->delete('other'));
        self::assertTrue($other->has('other'));
    }

    public function testWithoutAStoreATtlIsIgnored(): void
    {
        $cache = new SimpleCache(new Cache(new NullStore()));

        self::assertFalse($cache->set('k', 1, 60), 'it was not stored, and says so');
        self::assertSame(0, $cache->get('k', 0));
    }

    public function testWhatDoesNotComeBackIsAMiss(): void
    {
        $log = new TestLog();
        $cache = new SimpleCache($this->cache, log: $log);
        self::assertTrue($cache->setMultiple(['k' => new ThrowsWhenRead(), 'good' => 1]));

        self::assertSame('none', $cache->get('k', 'none'));
        self::assertFalse($cache->has('k'));
        self::assertSame(['good' => 1, 'k' => 'none'], $cache->getMultiple(['good', 'k'], 'none'));
        self::assertTrue($cache->set('k', 'whole'));
        self::assertSame('whole', $cache->get('k'));
    }

    public function testWhatRefusesToBeStoredIsNotStored(): void
    {
        $log = new TestLog();
        $cache = new SimpleCache($this->cache, log: $log);

        self::assertFalse($cache->set('k', new ThrowsWhenStored()));
        self::assertFalse($cache->has('k'));
        self::assertCount(1, $log->lines());
        self::assertStringContainsString('not me', $log->lines()[0]);
    }

    #[DataProvider('badKeys')]
    public function testGetRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): mixed => $this->simple()->get($key));
    }

    #[DataProvider('badKeys')]
    public function testSetRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): bool => $this->simple()->set($key, 1));
    }

    #[DataProvider('badKeys')]
    public function testDeleteRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): bool => $this->simple()->delete($key));
    }

    #[DataProvider('badKeys')]
    public function testHasRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): bool => $this->simple()->has($key));
    }

    #[DataProvider('badKeys')]
    #[DataProvider('noStrings')]
    public function testGetMultipleRefusesKeys(mixed $key): void
    {
        self::assertRefused(fn(): iterable => $this->simple()->getMultiple(['good', $key]));
    }

    #[DataProvider('badKeys')]
    #[DataProvider('noStrings')]
    public function testDeleteMultipleRefusesKeys(mixed $key): void
    {
        $cache = $this->simple();
        $cache->set('good', 1);

        self::assertRefused(static fn(): bool => $cache->deleteMultiple(['good', $key]));
        self::assertTrue($cache->has('good'));
    }

    #[DataProvider('badKeys')]
    public function testSetMultipleRefusesKeys(string $key): void
    {
        $cache = $this->simple();

        self::assertRefused(static fn(): bool => $cache->setMultiple(['good' => 1, $key => 2]));
        self::assertFalse($cache->has('good'));
    }

    #[DataProvider('noStrings')]
    public function testSetMultipleRefusesKeysThatAreNoStrings(mixed $key): void
    {
        $pairs = static function () use ($key): Generator {
            yield 'good' => 1;
            yield \is_int($key) ? 0.5 : $key => 2;
        };
        $cache = $this->simple();

        self::assertRefused(static fn(): bool => $cache->setMultiple($pairs()));
        self::assertFalse($cache->has('good'));
    }

    public function testSetMultipleRefusesValues(): void
    {
        $cache = $this->simple();
        $cache->set('k', 'as it was');

        self::assertRefused(static fn(): bool => $cache->setMultiple(['k' => static fn(): int => 1]));
        self::assertRefused(static fn(): bool => $cache->set('k', ['deep' => [STDERR]]));
        self::assertSame('as it was', $cache->get('k'));
    }

    public function testWhatCannotBeIteratedIsRefused(): void
    {
        // The types of the interface see to it, so it is PHP that throws.
        foreach (['getMultiple', 'setMultiple', 'deleteMultiple'] as $method) {
            try {
                // @phpstan-ignore argument.type (what a caller without strict analysis does)
                \call_user_func([$this->simple(), $method], 'no list');
                self::fail($method);
            } catch (TypeError) {
                self::assertFalse($this->simple()->has('no list'));
            }
        }
    }

    public function testARefusalIsOfAllKinds(): void
    {
        $refusal = null;
        try {
            $this->simple()->get('a:b');
        } catch (Throwable $refusal) {
        }

        self::assertInstanceOf(InvalidArgumentException::class, $refusal);
        self::assertInstanceOf(\Psr\Cache\InvalidArgumentException::class, $refusal);
        self::assertInstanceOf(LarderException::class, $refusal);
        self::assertSame(
            'The key "a:b" contains one of the characters {}()/\@:, which are reserved',
            $refusal->getMessage(),
        );
    }

    private static function assertRefused(Closure $call): void
    {
        $thrown = null;
        try {
            $call();
        } catch (Throwable $thrown) {
        }
        self::assertInstanceOf(InvalidArgumentException::class, $thrown);
    }

    private function simple(): SimpleCache
    {
        return new SimpleCache($this->cache);
    }
}
