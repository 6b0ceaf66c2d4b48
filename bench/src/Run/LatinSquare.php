<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Random\Randomizer;

/**
 * Orders in which every item takes every position once in as many blocks as there are items, and follows every other
 * one about equally often: a square by Williams (1949), its items and its rows shuffled. More blocks take a new square.
 */
final readonly class LatinSquare
{
    public function __construct(private Randomizer $random) {}

    /**
     * @template T
     *
     * @param list<T> $items
     *
     * @return list<list<T>> one order a block
     */
    public function orders(array $items, int $blocks): array
    {
        $count = \count($items);
        if ($count === 0) {
            return array_fill(0, $blocks, []);
        }
        $orders = [];
        while (\count($orders) < $blocks) {
            $shuffled = $this->random->shuffleArray($items);
            $rows = [];
            for ($row = 0; $row < $count; ++$row) {
                $order = [];
                for ($position = 0; $position < $count; ++$position) {
                    // 0, 1, n-1, 2, n-2, …: neighbours differ by each distance once.
                    $step = $position % 2 === 1 ? intdiv($position + 1, 2) : ($count - intdiv($position, 2)) % $count;
                    $order[] = $shuffled[($row + $step) % $count];
                }
                $rows[] = $order;
            }
            $orders = [...$orders, ...$this->random->shuffleArray($rows)];
        }

        return \array_slice($orders, 0, $blocks);
    }
}
