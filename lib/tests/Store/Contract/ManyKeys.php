<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
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
