<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use Larder\NearStore;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * fresh() gives the value of an entry whose time is not over, and null for everything else.
 *
 * @phpstan-require-extends TestCase
 */
trait Near
{
    /** @return iterable<string, array{mixed, mixed}> what is stored, what fresh() gives */
    public static function entries(): iterable
    {
        $now = (int) (microtime(true) * 1e6);
        // Far off: the data are made long before the last of many tests has run.
        $tomorrow = $now + 86_400_000_000;
        yield 'an array' => [[NearStore::MARKER => PHP_INT_MAX, 0 => ['id' => 4]], ['id' => 4]];
        yield 'false, with more behind' => [[NearStore::MARKER => $tomorrow, 0 => false, 'more' => 1], false];
        yield 'null' => [[NearStore::MARKER => PHP_INT_MAX, 0 => null], null];
        yield 'over' => [[NearStore::MARKER => $now - 1_000, 0 => 'old'], null];
        yield 'over within 10 ms' => [[NearStore::MARKER => $now + 5_000, 0 => 'old'], null];
        yield 'never' => [[NearStore::MARKER => 0, 0 => 'old'], null];
        yield 'a time that is a float' => [[NearStore::MARKER => PHP_FLOAT_MAX, 0 => 'no'], null];
        yield 'a time that is a string' => [[NearStore::MARKER => '9000000000000000000', 0 => 'no'], null];
        yield 'another marker' => [['entry' => PHP_INT_MAX, 0 => 'no'], null];
        yield 'an empty marker' => [['' => PHP_INT_MAX, 0 => 'no'], null];
        yield 'a late marker' => [['a' => 1, NearStore::MARKER => PHP_INT_MAX, 0 => 'no'], null];
        yield 'a late value' => [[NearStore::MARKER => PHP_INT_MAX, 'a' => 1, 0 => 'no'], null];
        yield 'no value' => [[NearStore::MARKER => PHP_INT_MAX], null];
        yield 'a list' => [[PHP_INT_MAX, 'no'], null];
        yield 'an empty array' => [[], null];
        yield 'no array' => ['text', null];
    }

    #[DataProvider('entries')]
    public function testFreshGivesTheValueOfAnEntryAndNothingElse(mixed $stored, mixed $value): void
    {
        self::assertInstanceOf(NearStore::class, $this->store);
        $this->store->set('k', $stored);

        self::assertSame($value, $this->store->fresh('k'));
    }

    /** @return iterable<string, array{mixed, mixed, bool}> stamps, until when, whether the value is given */
    public static function stamps(): iterable
    {
        yield 'the present ones' => [['a' => 1, 'b' => -7], PHP_INT_MAX, true];
        yield 'another one' => [['a' => 1, 'b' => 1], PHP_INT_MAX, false];
        yield 'a missing one' => [['a' => 1, 'c' => 1], PHP_INT_MAX, false];
        yield 'one that is no number' => [['a' => 1, 'text' => 1], PHP_INT_MAX, false];
        yield 'text that looks like it' => [['a' => '1'], PHP_INT_MAX, false];
        yield 'a list' => [[1], PHP_INT_MAX, false];
        yield 'no array' => [1, PHP_INT_MAX, false];
        yield 'over' => [['a' => 1], (int) (microtime(true) * 1e6) - 1, false];
        yield 'no time' => [['a' => 1], 'never', false];
    }

    #[DataProvider('stamps')]
    public function testFreshComparesStampsIfAsked(mixed $stamps, mixed $until, bool $isFresh): void
    {
        self::assertInstanceOf(NearStore::class, $this->store);
        $this->store->setMultiple(['a' => 1, 'b' => -7, 'text' => '1']);
        $this->store->set('k', [
            NearStore::MARKER => 0,
            0 => 'value',
            NearStore::STAMPS => $stamps,
            NearStore::WHILE_CURRENT => $until,
        ]);

        self::assertSame($isFresh ? 'value' : null, $this->store->fresh('k', true));
        self::assertNull($this->store->fresh('k'));
        $this->store->increment('a');
        self::assertNull($this->store->fresh('k', true));
    }

    public function testFreshTakesAnyKey(): void
    {
        self::assertInstanceOf(NearStore::class, $this->store);
        foreach (['missing', '', str_repeat('k', 1025)] as $key) {
            self::assertNull($this->store->fresh($key));
        }
    }
}
