<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Run\Planned;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

final class LatinSquareTest extends TestCase
{
    #[DataProvider('sizes')]
    public function testGivesEveryItemEveryPositionOnce(int $items): void
    {
        $orders = self::orders(7, range(1, $items), $items);

        for ($position = 0; $position < $items; ++$position) {
            $there = array_column($orders, $position);
            sort($there);
            self::assertSame(range(1, $items), $there);
        }
    }

    /** @return iterable<string, array{int}> */
    public static function sizes(): iterable
    {
        foreach ([1, 2, 3, 4, 7, 12] as $items) {
            yield $items . ' items' => [$items];
        }
    }

    public function testLetsEveryItemFollowEveryOtherOnceWhereTheirNumberIsEven(): void
    {
        $pairs = [];
        foreach (self::orders(3, range(1, 6), 6) as $order) {
            for ($position = 1; $position < 6; ++$position) {
                $pairs[] = $order[$position - 1] . ' ' . $order[$position];
            }
        }

        self::assertCount(30, array_unique($pairs));
    }

    public function testIsWholeInEveryBlockAlsoWhenThereAreMoreBlocksThanItems(): void
    {
        $orders = self::orders(1, ['a', 'b', 'c'], 10);

        self::assertCount(10, $orders);
        foreach ($orders as $order) {
            sort($order);
            self::assertSame(['a', 'b', 'c'], $order);
        }
    }

    public function testDiffersFromSeedToSeedAndNotFromCallToCall(): void
    {
        self::assertEquals(self::orders(5, range(1, 8), 8), self::orders(5, range(1, 8), 8));
        self::assertNotEquals(self::orders(5, range(1, 8), 8), self::orders(6, range(1, 8), 8));
    }

    /**
     * @template T
     *
     * @param list<T> $items
     *
     * @return list<list<T>>
     */
    private static function orders(int $seed, array $items, int $blocks): array
    {
        return Planned::orders(new Randomizer(new Xoshiro256StarStar($seed)), $items, $blocks);
    }
}
