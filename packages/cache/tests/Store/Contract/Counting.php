<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * Counters are 64-bit integers, exact to the last one.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait Counting
{
    public function testCountsUpAndDownAndBelowZero(): void
    {
        $this->store->set('k', 5);

        self::assertSame(6, $this->store->increment('k'));
        self::assertSame(16, $this->other->increment('k', 10));
        self::assertSame(15, $this->store->decrement('k'));
        self::assertSame(-5, $this->other->decrement('k', 20));
        self::assertSame(-8, $this->store->increment('k', -3));
        self::assertSame(-6, $this->store->decrement('k', -2));
        self::assertSame(-6, $this->store->increment('k', 0));
        self::assertSame(-6, $this->other->get('k'));
    }

    public function testStartsWithTheInitialValueAsItIs(): void
    {
        self::assertSame(Outcome::NotFound, $this->store->increment('k'));
        self::assertSame(Outcome::NotFound, $this->store->decrement('k', 5));
        self::assertFalse($this->store->has('k'));
        self::assertSame(100, $this->store->increment('k', 7, 100));
        self::assertSame(107, $this->other->increment('k', 7, 100));
        self::assertSame(0, $this->store->decrement('down', 7, 0));
        self::assertSame(-7, $this->store->decrement('down', 7, 0));
    }

    /** @return iterable<string, array{int, string, int, int|Outcome}> */
    public static function limits(): iterable
    {
        yield 'up to the largest' => [PHP_INT_MAX - 1, 'increment', 1, PHP_INT_MAX];
        yield 'over the largest' => [PHP_INT_MAX, 'increment', 1, Outcome::Exists];
        yield 'far over the largest' => [1, 'increment', PHP_INT_MAX, Outcome::Exists];
        yield 'down to the smallest' => [PHP_INT_MIN + 1, 'decrement', 1, PHP_INT_MIN];
        yield 'under the smallest' => [PHP_INT_MIN, 'decrement', 1, Outcome::Exists];
        yield 'under the smallest by adding' => [-1, 'increment', PHP_INT_MIN, Outcome::Exists];
        yield 'to the smallest by adding' => [0, 'increment', PHP_INT_MIN, PHP_INT_MIN];
        yield 'across the whole range' => [PHP_INT_MIN, 'increment', PHP_INT_MAX, -1];
    }

    #[DataProvider('limits')]
    public function testIsExactAtTheLimits(int $start, string $step, int $by, int|Outcome $sum): void
    {
        $this->store->set('k', $start);

        self::assertSame(
            $sum,
            $step === 'increment' ? $this->store->increment('k', $by) : $this->store->decrement('k', $by),
        );
        self::assertSame($sum instanceof Outcome ? $start : $sum, $this->other->get('k'));
    }

    /** @return iterable<string, array{mixed}> */
    public static function noIntegers(): iterable
    {
        yield 'digits' => ['5'];
        yield 'a float' => [5.0];
        yield 'true' => [true];
        yield 'null' => [null];
        yield 'an array' => [[5]];
        yield 'no bytes' => [''];
    }

    #[DataProvider('noIntegers')]
    public function testOnlyIntegersCanBeCounted(mixed $value): void
    {
        $this->store->set('k', $value);

        self::assertSame(Outcome::Exists, $this->store->increment('k', 1, 1));
        self::assertSame(Outcome::Exists, $this->store->decrement('k'));
        self::assertSame($value, $this->other->get('k', 'missed'));
    }
}
