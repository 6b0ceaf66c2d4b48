<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Result\Role;
use Larder\Bench\Statistics\Looks;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Test;
use Random\Randomizer;

/** A chart to be measured, and the orders in which its subjects take turns. */
final readonly class Planned
{
    /**
     * @param array<string, bool|float|int|string> $parameters
     * @param list<Definition>                     $subjects
     */
    public function __construct(
        public Test $test,
        public array $parameters,
        public array $subjects,
        public Looks $looks,
    ) {}

    /** @return list<string> ids of the subjects that are compared with each other: no floor, no ceiling */
    public function contenders(): array
    {
        $contenders = array_filter(
            $this->subjects,
            static fn(Definition $subject): bool => $subject->role === Role::Contender || $subject->role === Role::Twin,
        );

        return array_values(array_map(static fn(Definition $subject): string => $subject->id, $contenders));
    }

    /** Stable over runs, so that `compare` finds the same chart in both. */
    public function id(): string
    {
        $conditions = $this->parameters;
        ksort($conditions);

        $words = [];
        foreach ($conditions as $name => $value) {
            $words[] = $name . '=' . (\is_bool($value) ? ($value ? 'yes' : 'no') : $value);
        }

        return $this->test->name . ($words === [] ? '' : '?' . implode('&', $words));
    }

    /**
     * Orders in which every item takes every position once in as many blocks as there are items, and follows every
     * other one about equally often: a square by Williams (1949), its items and its rows shuffled. More blocks take a
     * new square.
     *
     * @template T
     *
     * @param list<T> $items
     *
     * @return list<list<T>> one order a block
     */
    public static function orders(Randomizer $random, array $items, int $blocks): array
    {
        $count = \count($items);
        if ($count === 0) {
            return array_fill(0, $blocks, []);
        }
        $orders = [];
        while (\count($orders) < $blocks) {
            $shuffled = $random->shuffleArray($items);
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
            $orders = [...$orders, ...$random->shuffleArray($rows)];
        }

        return \array_slice($orders, 0, $blocks);
    }
}
