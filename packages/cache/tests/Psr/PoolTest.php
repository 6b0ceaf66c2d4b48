<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use Closure;
use DateInterval;
use DateTimeImmutable;
use Larder\Cache;
use Larder\Psr\Deferred;
use Larder\Psr\InvalidArgument;
use Larder\Psr\Item;
use Larder\Psr\Key;
use Larder\Psr\Pool;
use Larder\Psr\Time;
use Larder\Store\NullStore;
use Larder\Tests\Store\Contract\ThrowsWhenRead;
use Larder\Tests\Store\Contract\ThrowsWhenStored;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Cache\CacheItemInterface;
use Psr\Cache\CacheItemPoolInterface;
use Psr\Cache\InvalidArgumentException;
use ReflectionMethod;
use ReflectionProperty;
use Throwable;

/** PSR-6, on the store that LARDER_TEST_STORE names; StoresTest runs it on all of them. */
#[CoversClass(Pool::class)]
#[CoversClass(Item::class)]
#[CoversClass(Deferred::class)]
#[CoversClass(\Larder\Psr\Values::class)]
#[CoversClass(InvalidArgument::class)]
#[CoversClass(Key::class)]
#[CoversClass(Time::class)]
final class PoolTest extends Conformance
{
    public static function table(): array
    {
        return [
            [
                'Definitions: Implementing Library',
                'there are classes that implement both interfaces',
                'testAreTheInterfaces',
            ],
            ['Definitions: Implementing Library', 'a TTL works to the whole second', 'testIsOverWhenItsTimeIs'],
            ['Definitions: Expiration', 'what has reached its time is expired', 'testIsOverWhenItsTimeIs'],
            ['Definitions: Expiration', 'without a time and a default it is kept for ever', 'testWithoutTimeItIsKept'],
            ['Definitions: Key', 'letters, digits, _ and . in UTF-8, 64 of them', 'testTakesKeys'],
            ['Definitions: Key', 'a key comes back as it was given', 'testKeysComeBackAsTheyWere'],
            ['Definitions: Key', 'reserved characters are refused', 'testGetItemRefusesKeys'],
            ['Definitions: Miss', 'what has expired is a miss', 'testIsOverWhenItsTimeIs'],
            ['Definitions: Deferred', 'what is put off is stored in the end', 'testWhatIsPutOffIsStoredInTheEnd'],
            ['Definitions: Deferred', 'commit() stores all that was put off', 'testCommitStoresAll'],
            ['Definitions: Deferred', 'who asks for what is put off gets it', 'testWhatIsPutOffIsThere'],
            ['Data', 'all values that serialize() takes', 'testReturnsExactlyWhatWasStored'],
            ['Data', 'values come back exactly, their type included', 'testReturnsExactlyWhatWasStored'],
            ['Data', 'what cannot come back exactly is a miss', 'testWhatDoesNotComeBackIsAMiss'],
            ['Data', 'so is an object of a class that is gone', 'testAnObjectOfAClassThatIsGoneIsAMiss'],
            ['Key Concepts: Items', 'the key of an item does not change', 'testTheKeyOfAnItemStays'],
            ['Error handling', 'nothing is thrown but what the interface names', 'testAFailureIsNotThrown'],
            ['Error handling', 'to delete what is not there is no error', 'testDeletesWhatIsNotThere'],
            ['CacheItemInterface', 'an item belongs to one key', 'testTheKeyOfAnItemStays'],
            ['CacheItemInterface', 'an item takes and gives any value of Data', 'testReturnsExactlyWhatWasStored'],
            ['CacheItemInterface', 'callers do not make items', 'testItemsAreMadeByThePool'],
            ['CacheItemInterface::get', 'without a hit it is null', 'testWithoutAHitItIsNull'],
            ['CacheItemInterface::isHit', 'it does not change until get()', 'testAnItemIsWhatItWas'],
            ['CacheItemInterface::expiresAt', 'after this time it is expired', 'testIsOverWhenItsTimeIs'],
            ['CacheItemInterface::expiresAfter', 'after this period it is expired', 'testIsOverWhenItsTimeIs'],
            ['CacheItemPoolInterface::getItem', 'a miss is an item too', 'testWithoutAHitItIsNull'],
            ['CacheItemPoolInterface::getItem', 'a bad key is refused', 'testGetItemRefusesKeys'],
            ['CacheItemPoolInterface::getItems', 'a bad key is refused', 'testGetItemsRefusesKeys'],
            ['CacheItemPoolInterface::getItems', 'no keys are no items', 'testNoKeysAreNoItems'],
            ['CacheItemPoolInterface::hasItem', 'a bad key is refused', 'testHasItemRefusesKeys'],
            ['CacheItemPoolInterface::deleteItem', 'a bad key is refused', 'testDeleteItemRefusesKeys'],
            ['CacheItemPoolInterface::deleteItems', 'a bad key is refused', 'testDeleteItemsRefusesKeys'],
        ];
    }

    public static function interfaces(): array
    {
        return [CacheItemInterface::class, CacheItemPoolInterface::class, InvalidArgumentException::class];
    }

    /** @return iterable<string, array{mixed}> */
    public static function noStrings(): iterable
    {
        yield 'integer' => [5];
        yield 'null' => [null];
        yield 'bool' => [false];
        yield 'array' => [['k']];
    }

    public function testAreTheInterfaces(): void
    {
        self::assertContains(CacheItemPoolInterface::class, class_implements($this->pool()));
        self::assertContains(CacheItemInterface::class, class_implements($this->pool()->getItem('k')));
    }

    #[DataProvider('values')]
    public function testReturnsExactlyWhatWasStored(mixed $value): void
    {
        $pool = $this->pool();
        self::assertTrue($pool->save($pool->getItem('k')->set($value)));
        self::assertTrue($pool->saveDeferred($pool->getItem('later')->set($value)));
        self::assertSame($value, $pool->getItem('later')->get());
        self::assertTrue($pool->commit());

        foreach ($pool->getItems(['k', 'later']) as $item) {
            self::assertTrue($item->isHit());
            self::assertSame($value, $item->get());
        }
        self::assertTrue($pool->hasItem('k'));
    }

    #[DataProvider('objects')]
    public function testObjectsComeBackEqual(object $value): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('k')->set([$value]));

        self::assertEquals([$value], $pool->getItem('k')->get());
    }

    public function testAnObjectIsStoredAsItWasWhenItWasPutOff(): void
    {
        $pool = $this->pool();
        $object = new LinkedObject('before');
        $pool->saveDeferred($pool->getItem('k')->set($object));
        $object->next = new LinkedObject('after');
        $seen = $pool->getItem('k')->get();
        self::assertInstanceOf(LinkedObject::class, $seen);
        self::assertNull($seen->next);
        $seen->next = new LinkedObject('changed by a reader');
        $pool->commit();
        $stored = $pool->getItem('k')->get();

        self::assertInstanceOf(LinkedObject::class, $stored);
        self::assertNull($stored->next);
    }

    public function testWithoutAHitItIsNull(): void
    {
        $item = $this->pool()->getItem('k');

        self::assertSame('k', $item->getKey());
        self::assertFalse($item->isHit());
        self::assertNull($item->get());
        self::assertFalse($this->pool()->hasItem('k'));
    }

    public function testAStoredNullIsAHit(): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('k')->set(null));

        self::assertTrue($pool->getItem('k')->isHit());
        self::assertNull($pool->getItem('k')->get());
    }

    public function testWhatWasSetIsInHandEvenIfItCannotBeStored(): void
    {
        $pool = new Pool(new Cache(new NullStore()));
        $item = $pool->getItem('k')->set('made');

        self::assertFalse($pool->save($item));
        self::assertTrue($item->isHit());
        self::assertSame('made', $item->get());
    }

    public function testAnItemIsWhatItWas(): void
    {
        $pool = $this->pool();
        $miss = $pool->getItem('k');
        $pool->save($pool->getItem('k')->set(1)->expiresAfter(1));
        $stored = microtime(true);
        $hit = $pool->getItem('k');
        self::waitUntil($stored + self::SECOND);

        self::assertFalse($miss->isHit());
        self::assertNull($miss->get());
        self::assertTrue($hit->isHit());
        self::assertSame(1, $hit->get());
    }

    public function testACloneIsAnItemOfItsOwn(): void
    {
        $pool = $this->pool();
        $item = $pool->getItem('k')->set('one');
        $clone = (clone $item)->set('other')->expiresAfter(0);

        self::assertTrue($pool->save($item));
        self::assertSame('one', $pool->getItem('k')->get());
        self::assertTrue($pool->save($clone));
        self::assertFalse($pool->hasItem('k'));
    }

    public function testTheKeyOfAnItemStays(): void
    {
        $item = $this->pool()->getItem('k');
        $item->set('other')->expiresAfter(5);

        self::assertSame('k', $item->getKey());
        self::assertTrue((new ReflectionProperty($item, 'key'))->isReadOnly());
    }

    public function testItemsAreMadeByThePool(): void
    {
        self::assertStringContainsString(
            '@internal',
            (string) (new ReflectionMethod(Item::class, '__construct'))->getDocComment(),
        );
    }

    #[DataProvider('goodKeys')]
    public function testTakesKeys(string $key): void
    {
        $pool = $this->pool();
        $all = array_column(iterator_to_array(self::goodKeys()), 0);
        foreach ($all as $i => $other) {
            self::assertTrue($pool->saveDeferred($pool->getItem($other)->set($i)));
        }
        self::assertTrue($pool->commit());

        self::assertSame(array_search($key, $all, true), $pool->getItem($key)->get());
        self::assertTrue($pool->deleteItem($key));
        self::assertSame(
            [$key],
            array_values(array_filter($all, static fn(string $other): bool => !$pool->hasItem($other))),
        );
    }

    public function testKeysComeBackAsTheyWere(): void
    {
        $pool = $this->pool();
        $keys = array_column(iterator_to_array(self::goodKeys()), 0);
        $items = $pool->getItems($keys);

        self::assertSame($keys, array_map(strval(...), array_keys($items)));
        $own = array_map(static fn(CacheItemInterface $item): string => $item->getKey(), $items);
        self::assertSame($keys, array_values($own));
    }

    public function testKeepsTheOrderOfKeys(): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('a')->set(1));
        $pool->saveDeferred($pool->getItem('c')->set(3));
        $items = $pool->getItems(['c', 'b', 'a', 'c', '7']);

        self::assertSame(
            ['c' => 3, 'b' => null, 'a' => 1, 7 => null],
            array_map(static fn(CacheItemInterface $item): mixed => $item->get(), $items),
        );
        self::assertSame('7', $items[7]->getKey());
    }

    public function testNoKeysAreNoItems(): void
    {
        self::assertSame([], $this->pool()->getItems());
        self::assertSame([], $this->pool()->getItems([]));
        self::assertTrue($this->pool()->deleteItems([]));
    }

    public function testIsOverWhenItsTimeIs(): void
    {
        $pool = $this->pool();
        $end = new DateTimeImmutable('+1 second');
        $pool->save($pool->getItem('period')->set(1)->expiresAfter(1));
        $pool->save($pool->getItem('interval')->set(1)->expiresAfter(new DateInterval('PT1S')));
        $pool->save($pool->getItem('time')->set(1)->expiresAt($end));
        $pool->saveDeferred($pool->getItem('put off')->set(1)->expiresAfter(1));
        $pool->save($pool->getItem('hour')->set(1)->expiresAfter(3600));
        $pool->save($pool->getItem('later')->set(1)->expiresAt(new DateTimeImmutable('+1 month')));
        $stored = microtime(true);
        self::assertTrue($pool->hasItem('hour'));
        self::waitUntil($stored + self::SECOND);

        foreach (['period', 'interval', 'time', 'put off'] as $key) {
            self::assertFalse($pool->getItem($key)->isHit(), $key);
            self::assertNull($pool->getItem($key)->get(), $key);
            self::assertFalse($pool->hasItem($key), $key);
        }
        self::assertTrue($pool->commit(), 'to store what is over is no failure');
        self::assertFalse($pool->hasItem('put off'));
        self::assertTrue($pool->hasItem('hour'));
        self::assertTrue($pool->hasItem('later'));
    }

    public function testWithoutTimeItIsKept(): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('nothing said')->set(1));
        $pool->save($pool->getItem('period')->set(1)->expiresAfter(5)->expiresAfter(null));
        $pool->save($pool->getItem('time')->set(1)->expiresAt(new DateTimeImmutable('-1 hour'))->expiresAt(null));
        $pool->save($pool->getItem('longest')->set(1)->expiresAfter(PHP_INT_MAX));
        $pool->save($pool->getItem('far')->set(1)->expiresAt(new DateTimeImmutable('@4000000000')));

        foreach (['nothing said', 'period', 'time', 'longest', 'far'] as $key) {
            self::assertTrue($pool->hasItem($key), $key);
        }
    }

    public function testWhatIsOverIsDeleted(): void
    {
        $pool = $this->pool();
        $past = new DateInterval('PT1S');
        $past->invert = 1;
        foreach ([0, -1, PHP_INT_MIN, $past, new DateTimeImmutable('-1 second'), new DateTimeImmutable('@0')] as $end) {
            $pool->save($pool->getItem('k')->set(1));
            $item = $pool->getItem('k')->set(2);

            self::assertTrue(
                $pool->save($end instanceof DateTimeImmutable ? $item->expiresAt($end) : $item->expiresAfter($end)),
            );
            self::assertFalse($pool->hasItem('k'));
        }
    }

    public function testWhatIsPutOffIsThere(): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('k')->set('stored'));
        self::assertTrue($pool->saveDeferred($pool->getItem('k')->set('put off')));

        self::assertSame('put off', $pool->getItem('k')->get());
        self::assertTrue($pool->hasItem('k'));
        self::assertSame('put off', $pool->getItems(['k'])['k']->get());
        self::assertSame('stored', $this->pool()->getItem('k')->get(), 'to others it is not');
    }

    public function testCommitStoresAll(): void
    {
        $pool = $this->pool();
        foreach ([null, 60, 3600, 60] as $i => $ttl) {
            $pool->saveDeferred($pool->getItem("k$i")->set($i)->expiresAfter($ttl));
        }
        $pool->saveDeferred($pool->getItem('k0')->set('the last one counts'));
        self::assertFalse($this->pool()->hasItem('k0'));
        self::assertTrue($pool->commit());
        self::assertTrue($pool->commit(), 'nothing is left');

        self::assertSame(
            ['the last one counts', 1, 2, 3],
            array_values(
                array_map(
                    static fn(CacheItemInterface $item): mixed => $item->get(),
                    $this->pool()->getItems(['k0', 'k1', 'k2', 'k3']),
                ),
            ),
        );
    }

    public function testWhatIsPutOffIsStoredInTheEnd(): void
    {
        $pool = $this->pool();
        $pool->saveDeferred($pool->getItem('k')->set(1));
        unset($pool);

        self::assertSame(1, $this->pool()->getItem('k')->get());
    }

    public function testWhatIsPutOffCanBeTakenBack(): void
    {
        $pool = $this->pool();
        foreach (['one', 'many', 'all', 'saved'] as $key) {
            $pool->saveDeferred($pool->getItem($key)->set('put off'));
        }
        self::assertTrue($pool->deleteItem('one'));
        self::assertFalse($pool->hasItem('one'));
        self::assertTrue($pool->deleteItems(['many', 'none']));
        $pool->save($pool->getItem('saved')->set('saved'));
        $pool->commit();
        self::assertSame(
            [false, false, true, 'saved'],
            [$pool->hasItem('one'), $pool->hasItem('many'), $pool->hasItem('all'), $pool->getItem('saved')->get()],
        );
        $pool->saveDeferred($pool->getItem('all')->set('put off'));
        self::assertTrue($pool->clear());
        $pool->commit();

        self::assertFalse($pool->hasItem('all'));
    }

    public function testAnOldValueDoesNotShowThroughWhatIsPutOffAndOver(): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('k')->set('old'));
        $pool->saveDeferred($pool->getItem('k')->set('new')->expiresAfter(-1));

        self::assertFalse($pool->getItem('k')->isHit());
        $pool->commit();
        self::assertFalse($pool->getItem('k')->isHit());
    }

    public function testDeletesWhatIsNotThere(): void
    {
        self::assertTrue($this->pool()->deleteItem('k'));
        self::assertTrue($this->pool()->deleteItems(['k', 'l']));
        self::assertTrue($this->pool()->clear());
    }

    public function testClearsThisCacheOnly(): void
    {
        $pool = $this->pool();
        $other = new Pool(new Cache($this->otherStore()));
        $pool->save($pool->getItem('k')->set(1));
        $other->save($other->getItem('k')->set(2));

        self::assertTrue($pool->clear());
        self::assertFalse($pool->hasItem('k'));
        self::assertSame(2, $other->getItem('k')->get());
    }

    public function testWhatDoesNotComeBackIsAMiss(): void
    {
        $log = new TestLog();
        $pool = new Pool($this->cache, log: $log);
        self::assertTrue($pool->save($pool->getItem('k')->set(new ThrowsWhenRead())));
        $pool->save($pool->getItem('good')->set(1));

        self::assertFalse($pool->getItem('k')->isHit());
        self::assertFalse($pool->hasItem('k'));
        self::assertSame(
            ['good' => 1, 'k' => null],
            array_map(static fn(CacheItemInterface $item): mixed => $item->get(), $pool->getItems(['good', 'k'])),
        );
    }

    public function testAnObjectOfAClassThatIsGoneIsAMiss(): void
    {
        $log = new TestLog();
        $pool = new Pool($this->cache, log: $log);
        // What another release left there: PHP writes such an object as it read it.
        self::assertTrue(
            $pool->save($pool->getItem('k')->set(['deep' => [unserialize('O:14:"LarderIsGone14":1:{s:1:"a";i:1;}')]])),
        );
        $before = \ini_get('unserialize_callback_func');

        self::assertFalse($pool->getItem('k')->isHit());
        self::assertFalse($pool->hasItem('k'));
        self::assertSame($before, \ini_get('unserialize_callback_func'));
    }

    public function testAFailureIsNotThrown(): void
    {
        $log = new TestLog();
        $pool = new Pool($this->cache, log: $log);
        foreach ([static fn(): int => 1, [STDERR], new ThrowsWhenStored()] as $value) {
            self::assertFalse($pool->save($pool->getItem('k')->set($value)));
            self::assertFalse($pool->saveDeferred($pool->getItem('k')->set($value)));
        }
        self::assertFalse(
            $pool->saveDeferred($pool->getItem('k')->set(new ThrowsWhenRead())),
            'what would be lost later is refused now',
        );

        self::assertFalse($pool->hasItem('k'));
        self::assertTrue($pool->commit());
        self::assertCount(7, $log->lines());
        self::assertStringContainsString('not me', $log->lines()[4]);
    }

    public function testWithoutAStoreNothingIsThrown(): void
    {
        $pool = new Pool(new Cache(new NullStore()));

        self::assertFalse($pool->save($pool->getItem('k')->set(1)));
        self::assertTrue($pool->saveDeferred($pool->getItem('k')->set(1)));
        self::assertFalse($pool->commit());
        self::assertTrue($pool->commit(), 'what could not be stored is not tried again');
        self::assertFalse($pool->hasItem('k'));
    }

    public function testAnItemOfAnotherLibraryIsRefused(): void
    {
        $item = self::createStub(CacheItemInterface::class);

        self::assertRefused(fn(): bool => $this->pool()->save($item));
        self::assertRefused(fn(): bool => $this->pool()->saveDeferred($item));
    }

    #[DataProvider('badKeys')]
    public function testGetItemRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): CacheItemInterface => $this->pool()->getItem($key));
    }

    #[DataProvider('badKeys')]
    #[DataProvider('noStrings')]
    public function testGetItemsRefusesKeys(mixed $key): void
    {
        self::assertRefused(fn(): array => $this->pool()->getItems(['good', $key]));
    }

    #[DataProvider('badKeys')]
    public function testHasItemRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): bool => $this->pool()->hasItem($key));
    }

    #[DataProvider('badKeys')]
    public function testDeleteItemRefusesKeys(string $key): void
    {
        self::assertRefused(fn(): bool => $this->pool()->deleteItem($key));
    }

    #[DataProvider('badKeys')]
    #[DataProvider('noStrings')]
    public function testDeleteItemsRefusesKeys(mixed $key): void
    {
        $pool = $this->pool();
        $pool->save($pool->getItem('good')->set(1));
        $pool->saveDeferred($pool->getItem('put off')->set(1));

        self::assertRefused(static fn(): bool => $pool->deleteItems(['good', 'put off', $key]));
        self::assertTrue($pool->hasItem('good'));
        self::assertTrue($pool->hasItem('put off'));
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

    private function pool(): Pool
    {
        return new Pool($this->cache);
    }
}
