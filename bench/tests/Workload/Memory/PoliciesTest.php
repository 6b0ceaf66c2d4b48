<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Memory;

use Larder\Bench\Workload\Memory\IdealCache;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

#[CoversClass(IdealCache::class)]
final class PoliciesTest extends TestCase
{
    public function testLruDropsWhatWasAskedForLongestAgo(): void
    {
        self::assertSame('..h.h.hh', self::trace(IdealCache::lru(2), [1, 2, 1, 3, 1, 2, 2, 1]));
    }

    public function testSieveKeepsWhatWasHitOnceMoreThanItsTurn(): void
    {
        // 1 is hit, so 2 goes for 4, and then, the hand standing before 3, 3 for 5.
        self::assertSame('...h..hh.', self::trace(IdealCache::sieve(3), [1, 2, 3, 1, 4, 5, 1, 4, 2]));
    }

    public function testSieveGoesRoundWhenAllAreMarked(): void
    {
        self::assertSame('..hh.h', self::trace(IdealCache::sieve(2), [1, 2, 1, 2, 3, 2]));
    }

    public function testBothAgreeWithAListThatIsWrittenDown(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(3));
        $keys = [];
        for ($request = 0; $request < 20_000; ++$request) {
            $keys[] = min($random->getInt(0, 99), $random->getInt(0, 99));
        }
        foreach ([1, 2, 7, 30] as $capacity) {
            self::assertSame(
                self::plainLru($keys, $capacity),
                self::trace(IdealCache::lru($capacity), $keys),
                "LRU of {$capacity}",
            );
            self::assertSame(
                self::plainSieve($keys, $capacity),
                self::trace(IdealCache::sieve($capacity), $keys),
                "SIEVE of {$capacity}",
            );
        }
    }

    /** @param list<int> $keys */
    private static function trace(IdealCache $policy, array $keys): string
    {
        return implode('', array_map(static fn(int $key): string => $policy->request($key) ? 'h' : '.', $keys));
    }

    /** @param list<int> $keys */
    private static function plainLru(array $keys, int $capacity): string
    {
        $trace = '';
        $held = [];
        foreach ($keys as $key) {
            $trace .= \in_array($key, $held, true) ? 'h' : '.';
            $held = \array_slice([$key, ...array_values(array_diff($held, [$key]))], 0, $capacity);
        }

        return $trace;
    }

    /** @param list<int> $keys */
    private static function plainSieve(array $keys, int $capacity): string
    {
        $trace = '';
        $hand = 0;
        /** @var list<array{int, bool}> $held the oldest first */
        $held = [];
        foreach ($keys as $key) {
            $at = array_search($key, array_column($held, 0), true);
            if ($at !== false) {
                $held[$at][1] = true;
                $trace .= 'h';
                continue;
            }
            $trace .= '.';
            if (\count($held) === $capacity) {
                while ($held[$hand % $capacity][1]) {
                    $held[$hand % $capacity][1] = false;
                    ++$hand;
                }
                $hand %= $capacity;
                array_splice($held, $hand, 1);
                // The hand has come to the newest: it begins anew at the oldest.
                $hand = $hand === $capacity - 1 ? 0 : $hand;
            }
            $held[] = [$key, false];
        }

        return $trace;
    }
}
