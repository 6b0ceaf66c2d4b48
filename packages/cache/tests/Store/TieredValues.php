<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Confirmation;
use Larder\Store\Confirming;
use Larder\Store\FarOutage;
use Larder\Store\NearValues;
use Larder\Store\NullStore;
use Larder\Store\Operation;
use Larder\Store\TieredStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ValueError;

/** What is kept near, when it is asked for, and what others see of a change, all servers well. */
#[CoversClass(TieredStore::class)]
#[CoversClass(NearValues::class)]
#[CoversClass(FarOutage::class)]
#[CoversClass(Confirmation::class)]
abstract class TieredValues extends TestCase
{
    protected const LONG = 3600.0;

    protected TieredHookedFar $far;
    protected Store $memory;

    protected function setUp(): void
    {
        $this->far = new TieredHookedFar($this->far());
        $this->memory = $this->near();
        $this->far->clear();
        $this->memory->clear();
    }

    public function testOneQuestionForAllThatAreKeptAndAllThatAreNot(): void
    {
        $store = $this->tiers();
        $store->setMultiple([
            '7' => self::rows('seven'),
            'a' => self::rows('a'),
            'b' => self::rows('b'),
            'number' => 5,
        ]);
        $store->getMultiple(['7', 'a']);
        $this->far->asked();

        self::assertSame(
            ['number' => 5, 'b' => self::rows('b'), '7' => self::rows('seven'), 'a' => self::rows('a')],
            $store->getMultiple(['number', 'b', 'none', '7', 'a', 'b']),
        );
        $asked = $this->far->asked();
        self::assertCount(1, $asked);
        self::assertSame([7, 'a'], array_keys($asked[0]['stamps']));
        self::assertSame(['number', 'b', 'none', 'b'], $asked[0]['wanted']);
        self::assertSame([], $store->getMultiple([]));
    }

    public function testWithoutANearStoreTheFarOneServes(): void
    {
        $store = new TieredStore(new NullStore(), $this->far, self::LONG);
        $store->set('k', self::rows('new'));

        self::assertSame(self::rows('new'), $store->get('k'));
        $this->far->delete('k');
        self::assertSame('missed', $store->get('k', 'missed'));
        self::assertNotNull($store->getOrLease('k')->lease);
        self::assertNull($store->getOrLease('k')->lease);
        self::assertSame(Outcome::Done, $store->clear());
    }

    /** @return iterable<string, array{mixed, bool}> */
    public static function values(): iterable
    {
        yield 'null' => [null, false];
        yield 'a number' => [1.5, false];
        yield 'a bool' => [false, false];
        yield 'a short string' => [str_repeat('x', 99), false];
        yield 'a longer string' => [str_repeat('x', 100), true];
        yield 'an array' => [[1, null], true];
        yield 'an object' => [new \DateTimeImmutable('2020-01-01'), true];
    }

    #[DataProvider('values')]
    public function testKeepsNearWhatIsLongerThanItsVersion(mixed $value, bool $isKept): void
    {
        $store = $this->tiers();
        $store->set('k', $value);

        for ($read = 0; $read < 2; ++$read) {
            $answer = $store->read('k');
            self::assertTrue($answer->hit);
            self::assertEquals($value, $answer->value);
            self::assertSame($this->far->read('k')->version, $answer->version);
        }
        self::assertSame($isKept, $this->memory->has('k'));
    }

    /**
     * @return iterable<string, array{Closure(Store): mixed, mixed}> a write that another host makes, and what the key
     *     is then
     */
    public static function writes(): iterable
    {
        yield 'set' => [static fn(Store $far) => $far->set('k', self::rows('new')), self::rows('new')];
        yield 'set, the same' => [static fn(Store $far) => $far->set('k', self::rows('old')), self::rows('old')];
        yield 'set, a number' => [static fn(Store $far) => $far->set('k', 5), 5];
        yield 'replace' => [static fn(Store $far) => $far->replace('k', self::rows('new')), self::rows('new')];
        yield 'cas' => [
            static fn(Store $far) => $far->cas('k', self::rows('new'), $far->read('k')->version),
            self::rows('new'),
        ];
        yield 'set with a lease' => [
            static fn(Store $far) => $far->set('k', self::rows('new'), null, $far->lease('k')),
            self::rows('new'),
        ];
        yield 'delete' => [static fn(Store $far) => $far->delete('k'), null];
        yield 'delete and add' => [
            static fn(Store $far) => [$far->delete('k'), $far->add('k', self::rows('new'))],
            self::rows('new'),
        ];
        yield 'no more time' => [static fn(Store $far) => $far->touch('k', 0.0), null];
        yield 'clear' => [static fn(Store $far) => $far->clear(), null];
        yield 'clear and set' => [
            static fn(Store $far) => [$far->clear(), $far->set('k', self::rows('new'))],
            self::rows('new'),
        ];
        yield 'many' => [
            static fn(Store $far) => $far->setMultiple(['k' => self::rows('new'), 'l' => 1]),
            self::rows('new'),
        ];
    }

    /** @param Closure(Store): mixed $write */
    #[DataProvider('writes')]
    public function testAWriteOfAnotherHostIsSeenByTheNextReadWithoutLag(Closure $write, mixed $now): void
    {
        [$found, $isKept] = [$now === null ? [] : ['k' => $now], \is_array($now)];
        $store = $this->tiers();
        $store->set('k', self::rows('old'));
        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertSame(self::rows('old'), $store->get('k'));
        $write($this->far());

        for ($read = 0; $read < 3; ++$read) {
            self::assertSame($now, $store->get('k'));
            self::assertSame($found, $store->getMultiple(['k']));
            self::assertSame($isKept, $this->memory->has('k'), 'nothing old takes room');
        }
    }

    public function testWithALagNoQuestionIsAskedUntilItIsOver(): void
    {
        $store = $this->tiers(self::LONG);
        $store->set('k', self::rows('old'));
        $store->get('k');
        $this->far->asked();
        $this->far()->set('k', self::rows('new'));

        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertSame(self::rows('old'), $store->getOrLease('k')->value);
        self::assertTrue($store->has('k'));
        self::assertSame([], $this->far->asked());
        self::assertSame(self::rows('new'), $store->read('k')->value, 'its version is for cas()');
        self::assertSame(self::rows('new'), $this->tiers(0.0)->get('k'));
    }

    public function testOnesOwnWritesAmongOthersAreSeenAtOnceWhateverTheLag(): void
    {
        $store = $this->tiers(self::LONG);
        $keys = ['set', 'cas', 'deleted', 'read'];
        $store->setMultiple(array_fill_keys($keys, self::rows('old')));
        self::assertCount(4, $store->getMultiple($keys));
        Operation::run($store, [
            Operation::set('set', self::rows('new')),
            Operation::cas('cas', self::rows('new'), $store->read('cas')->version),
            Operation::delete('deleted'),
            Operation::read('read'),
        ]);

        self::assertSame(
            ['set' => self::rows('new'), 'cas' => self::rows('new'), 'read' => self::rows('old')],
            $store->getMultiple($keys),
        );
        self::assertTrue($this->memory->has('read'), 'what was only read is kept');
    }

    /** The bound: the lag from before the request on, wherever the time goes. */
    public function testTheLagCountsFromBeforeTheRequest(): void
    {
        $lag = 0.4;
        $store = $this->tiers($lag);
        $store->set('k', self::rows('old'));
        foreach (['fetched', 'confirmed'] as $how) {
            $this->far->asked();
            $this->far->afterwards = function () use ($lag, $how): void {
                $this->far()->set('k', self::rows('after it was ' . $how));
                usleep((int) (1e6 * $lag));
            };
            $store->get('k');
            self::assertSame($how === 'fetched' ? [] : ['k'], array_keys($this->far->asked()[0]['stamps'] ?? []));

            self::assertSame(self::rows('after it was ' . $how), $store->get('k'));
            usleep((int) (1e6 * $lag) + 1000);
        }
    }

    public function testAReadOfBeforeAWriteThatIsKeptAfterItIsSeenOnlyAsLongAsTheLag(): void
    {
        foreach ([[0.0, 'new'], [self::LONG, 'old']] as [$lag, $seen]) {
            $this->memory->clear();
            $store = $this->tiers($lag);
            $store->set('k', self::rows('old'));
            $this->far->afterwards = function () use ($lag): void {
                $this->tiers($lag)->set('k', self::rows('new'));
            };
            self::assertSame(self::rows('old'), $store->get('k'));

            self::assertSame(self::rows($seen), $store->get('k'));
            self::assertSame(self::rows('new'), $this->tiers(1e-6)->get('k'));
        }
    }

    public function testAConfirmedValueIsFreshForAnotherLag(): void
    {
        $store = $this->tiers(2.0);
        $store->set('k', self::rows('old'));
        $this->tiers(0.0)->get('k');
        [$stamp, $version, $since, $value] = (array) $this->memory->get('k');
        self::assertIsInt($since);
        $this->memory->set('k', [$stamp, $version, $since - 3_000_000_000, $value]);
        $this->far->asked();
        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertCount(1, $this->far->asked());
        self::assertGreaterThan($since, ((array) $this->memory->get('k'))[2]);

        // One from a clock that is ahead, as after a restart of the machine, is asked for.
        $this->memory->set('k', [$stamp, $version, hrtime(true) + 1_000_000_000, $value]);
        $store->get('k');
        self::assertCount(1, $this->far->asked());
    }

    public function testWhatSomebodyElseKeptNearIsNoValue(): void
    {
        $store = $this->tiers(self::LONG);
        $store->set('k', self::rows('new'));
        foreach (['text', [1, 2, 3, 4], ['a', 1, 2], ['a', 1, 'b', 3], new \ArrayObject(['a', 1, 2, 3])] as $other) {
            $this->memory->set('k', $other);
            self::assertSame(self::rows('new'), $store->get('k'));
        }
    }

    public function testAValueThatCannotBeStoredLeavesNothingOldBehind(): void
    {
        $store = $this->tiers(self::LONG);
        $store->setMultiple(['a' => self::rows('old'), 'b' => self::rows('old')]);
        $store->getMultiple(['a', 'b']);
        try {
            $store->setMultiple(['a' => self::rows('new'), 'b' => static fn() => 1]);
            self::fail('a closure was stored');
        } catch (UnstorableValue) {
            self::assertSame(['a' => self::rows('new'), 'b' => self::rows('old')], $store->getMultiple(['a', 'b']));
        }
    }

    public function testALagIsATime(): void
    {
        foreach ([-0.1, NAN, INF, 86401.0] as $lag) {
            try {
                $this->tiers($lag);
                self::fail("A lag of $lag was taken");
            } catch (ValueError $error) {
                self::assertSame('A lag must be 0 to 86400 seconds', $error->getMessage());
            }
        }
    }

    abstract protected function near(): Store;

    /** A new handle on the same keys. */
    abstract protected function far(): Confirming;

    final protected function tiers(float $lag = 0.0): TieredStore
    {
        return new TieredStore($this->memory, $this->far, $lag);
    }

    /** @return list<string> long enough to be kept near */
    final protected static function rows(string $word): array
    {
        return array_fill(0, 20, $word);
    }
}
