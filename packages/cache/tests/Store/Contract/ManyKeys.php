<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;
use PHPUnit\Framework\TestCase;

/**
 * Many keys in one call: each has its own answer, in the order asked for.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait ManyKeys
{
    public function testGetsThoseThatAreThereInTheOrderAskedFor(): void
    {
        $this->store->set('a', 1);
        $this->store->set('b', null);
        $this->store->set('7', 'int');
        $this->store->set('07', 'string');

        self::assertSame(
            ['07' => 'string', 'b' => null, 7 => 'int', 'a' => 1],
            $this->other->getMultiple(['07', 'missing', 'b', '7', 'a']),
        );
        self::assertSame(['a' => 1], $this->other->getMultiple(['a', 'a']));
        self::assertSame([], $this->other->getMultiple(['missing']));
        self::assertSame([], $this->other->getMultiple([]));
    }

    public function testSetsEachAndSaysHowItEnded(): void
    {
        $this->store->set('b', 'old');

        self::assertSame(
            ['b' => Outcome::Done, 7 => Outcome::Done, '07' => Outcome::Done, 'a' => Outcome::Done],
            $this->store->setMultiple(['b' => 'new', '7' => 'int', '07' => 'string', 'a' => [1, 2]]),
        );
        self::assertSame(['new', 'int', 'string', [1, 2]], array_map($this->other->get(...), ['b', '7', '07', 'a']));
        self::assertSame([], $this->store->setMultiple([]));
    }

    public function testDeletesEachAndSaysWhetherItWasThere(): void
    {
        $this->store->setMultiple(['a' => 1, '7' => 2, 'kept' => 3]);

        self::assertSame(
            ['missing' => Outcome::NotFound, 7 => Outcome::Done, 'a' => Outcome::Done],
            $this->other->deleteMultiple(['missing', '7', 'a']),
        );
        self::assertSame(['kept' => 3], $this->store->getMultiple(['a', '7', 'kept']));
        self::assertSame([], $this->store->deleteMultiple([]));
    }

    public function testOperationsOfAllKindsInOneCallGiveEachItsOwn(): void
    {
        $this->store->setMultiple(['there' => 'old', 'cas' => 1, 'moved' => 2, 'touched' => 3, 'deleted' => 4]);
        $held = (int) $this->store->lease('held');
        $filled = (int) $this->store->lease('filled');
        [$version, $moved] = [$this->store->read('cas')->version, $this->store->read('moved')->version];
        $this->other->set('moved', 'since');

        self::assertSame([
            7 => Outcome::Done,
            'add' => Outcome::Done,
            'add to what is there' => Outcome::Exists,
            'cas' => Outcome::Done,
            'cas too late' => Outcome::Exists,
            'cas of nothing' => Outcome::NotFound,
            'touch' => Outcome::Done,
            'touch nothing' => Outcome::NotFound,
            'delete' => Outcome::Done,
            'delete nothing' => Outcome::NotFound,
            'fill' => Outcome::Done,
            'fill without the lease' => Outcome::Exists,
            'release' => Outcome::Done,
            'release what is lost' => Outcome::NotFound,
        ], Operation::run($this->store, [
            '7' => Operation::set('7', [1, 2]),
            'add' => Operation::add('add', null),
            'add to what is there' => Operation::add('there', 'new'),
            'cas' => Operation::cas('cas', 'new', $version),
            'cas too late' => Operation::cas('moved', 'new', $moved),
            'cas of nothing' => Operation::cas('missing', 'new', 5),
            'touch' => Operation::touch('touched', 100.0),
            'touch nothing' => Operation::touch('missing', 100.0),
            'delete' => Operation::delete('deleted'),
            'delete nothing' => Operation::delete('missing'),
            'fill' => Operation::set('filled', 'made', 100.0, $filled),
            'fill without the lease' => Operation::set('another', 'made', 100.0, $filled),
            'release' => Operation::release('held', $held),
            'release what is lost' => Operation::release('another', $held),
        ]));
        self::assertSame(
            ['7' => [1, 2], 'add' => null, 'there' => 'old', 'cas' => 'new', 'moved' => 'since', 'filled' => 'made'],
            $this->other->getMultiple(['7', 'add', 'there', 'cas', 'moved', 'filled', 'deleted', 'another']),
        );
        self::assertNotNull($this->other->lease('held'));
    }

    public function testReadsAndLeasesInOneCallGiveEachItsOwn(): void
    {
        $this->store->setMultiple(['a' => 1, 'b' => null, 'c' => 3]);
        self::assertNotNull($this->other->lease('taken'));
        $answers = Operation::run($this->store, [
            'a' => Operation::read('a'),
            'b' => Operation::getOrLease('b', 10.0),
            'c' => Operation::lease('c', 10.0),
            'missing' => Operation::read('missing'),
            'leased' => Operation::getOrLease('leased', 10.0),
            'taken' => Operation::getOrLease('taken', 10.0),
        ]);

        self::assertSame(
            ['a' => [true, 1], 'b' => [true, null], 'c' => [false, null], 'missing' => [false, null],
                'leased' => [false, null], 'taken' => [false, null]],
            array_map(static fn($answer): array => [$answer->hit, $answer->value], $answers),
        );
        self::assertSame(
            ['c', 'leased'],
            array_keys(array_filter($answers, static fn($answer): bool => $answer->lease !== null)),
        );
        self::assertSame($this->other->read('a')->version, $answers['a']->version);
        foreach (['c', 'leased'] as $key) {
            self::assertSame(Outcome::Done, $this->store->set($key, 'made', lease: $answers[$key]->lease));
        }
    }

    public function testAValueThatCannotBeStoredIsTheResultOfItsOperationAlone(): void
    {
        $results = Operation::run($this->store, [
            Operation::set('before', 1),
            Operation::set('k', static fn(): int => 1),
            Operation::add('k', [static fn(): int => 1]),
            Operation::set('after', 2),
        ]);

        self::assertSame([Outcome::Done, Outcome::Done], [$results[0], $results[3]]);
        self::assertInstanceOf(UnstorableValue::class, $results[1]);
        self::assertInstanceOf(UnstorableValue::class, $results[2]);
        self::assertSame(['before' => 1, 'after' => 2], $this->other->getMultiple(['before', 'k', 'after']));
    }

    public function testAThousandKeys(): void
    {
        $values = [];
        for ($number = 0; $number < 1000; ++$number) {
            $values["key $number"] = ['number' => $number, 'text' => str_repeat('x', $number % 100)];
        }
        $keys = array_keys($values);

        self::assertSame(array_fill_keys($keys, Outcome::Done), $this->store->setMultiple($values));
        self::assertSame($values, $this->other->getMultiple($keys));
        self::assertSame(array_fill_keys($keys, Outcome::Done), $this->other->deleteMultiple($keys));
        self::assertSame([], $this->store->getMultiple($keys));
    }
}
