<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use stdClass;

/**
 * Misses, and what each write answers; that namespaces do not meet.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Writing
{
    public function testAMissGivesTheDefault(): void
    {
        $default = new stdClass();

        self::assertNull($this->store->get('k'));
        self::assertSame($default, $this->store->get('k', $default));
        self::assertFalse($this->store->has('k'));
        self::assertSame([], $this->store->getMultiple(['k']));
        $answer = $this->store->read('k');
        self::assertSame(
            [false, null, 0, false, null],
            [$answer->hit, $answer->value, $answer->version, $answer->stale, $answer->lease],
        );
    }

    /** @return iterable<string, array{mixed}> */
    public static function nothings(): iterable
    {
        yield 'null' => [null];
        yield 'false' => [false];
        yield 'zero' => [0];
        yield '0.0' => [0.0];
        yield 'no bytes' => [''];
        yield '"0"' => ['0'];
        yield 'no elements' => [[]];
    }

    #[DataProvider('nothings')]
    public function testAStoredNothingIsNoMiss(mixed $nothing): void
    {
        $this->store->set('k', $nothing);

        self::assertSame($nothing, $this->store->get('k', new stdClass()));
        self::assertTrue($this->store->has('k'));
        self::assertTrue($this->store->read('k')->hit);
        self::assertSame(['k' => $nothing], $this->store->getMultiple(['k', 'l']));
        $answer = $this->store->getOrLease('k');
        self::assertSame([true, null], [$answer->hit, $answer->lease]);
        self::assertSame(Outcome::Exists, $this->store->add('k', 1));
        self::assertSame(Outcome::Done, $this->store->replace('k', 1));
    }

    public function testSetReplacesAValueOfAnyKind(): void
    {
        foreach ([
            'short',
            range(1, 1000),
            4,
            null,
            str_repeat('x', 100_000),
            ['a' => new stdClass()],
            Suit::Hearts,
            2.5,
            [],
        ] as $value) {
            self::assertSame(Outcome::Done, $this->store->set('k', $value));
            self::assertEquals($value, $this->other->get('k', 'missed'));
        }
    }

    public function testAddStoresOnlyWhatIsNotThere(): void
    {
        self::assertSame(Outcome::Done, $this->store->add('k', 1));
        self::assertSame(Outcome::Exists, $this->other->add('k', 2));
        self::assertSame(1, $this->store->get('k'));
        $this->store->delete('k');
        self::assertSame(Outcome::Done, $this->other->add('k', 3));
        self::assertSame(3, $this->store->get('k'));
    }

    public function testReplaceStoresOnlyWhatIsThere(): void
    {
        self::assertSame(Outcome::NotFound, $this->store->replace('k', 1));
        self::assertFalse($this->store->has('k'));
        $this->store->set('k', 2);
        self::assertSame(Outcome::Done, $this->other->replace('k', 3));
        self::assertSame(3, $this->store->get('k'));
    }

    public function testDeleteSaysWhetherItWasThere(): void
    {
        $this->store->set('k', 1);

        self::assertSame(Outcome::Done, $this->other->delete('k'));
        self::assertFalse($this->store->has('k'));
        self::assertSame(Outcome::NotFound, $this->store->delete('k'));
    }

    public function testClearTakesAllKeysOfItsNamespaceAndOfNoOther(): void
    {
        $elsewhere = $this->open('contract-2');
        $elsewhere->set('0', 'kept');
        for ($number = 0; $number < 50; ++$number) {
            $this->store->set((string) $number, $number);
        }

        self::assertSame(Outcome::Done, $this->other->clear());
        self::assertSame([], $this->store->getMultiple(array_map(strval(...), range(0, 49))));
        self::assertSame('kept', $elsewhere->get('0'));
        self::assertSame(Outcome::Done, $this->store->clear());
        self::assertSame(Outcome::Done, $elsewhere->clear());
    }

    public function testNamespacesDoNotMeet(): void
    {
        $elsewhere = $this->open('contract-2');
        $elsewhere->clear();
        $this->store->set('k', 'here');

        self::assertFalse($elsewhere->has('k'));
        self::assertSame(Outcome::Done, $elsewhere->add('k', 1));
        self::assertSame(2, $elsewhere->increment('k'));
        self::assertSame('here', $this->store->get('k'));
        self::assertSame(Outcome::Done, $elsewhere->delete('k'));
        self::assertSame('here', $this->other->get('k'));
        $lease = $elsewhere->lease('k');
        self::assertNotNull($lease);
        self::assertNotNull($this->store->lease('k'), 'a lease of the other namespace');
        self::assertSame(Outcome::Done, $elsewhere->set('k', 2, lease: $lease));
        $elsewhere->clear();
    }
}
