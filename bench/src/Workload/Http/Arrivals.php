<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Generator;
use InvalidArgumentException;
use Larder\Bench\Statistics\Distribution;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** When requests are to start, whatever became of the ones before: stages of one rate each. */
final readonly class Arrivals
{
    /**
     * @param non-empty-list<array{float, float}> $stages   seconds, and requests per second in them
     * @param bool $constant the same time between any two; else as if many people came by chance
     */
    public function __construct(
        public array $stages,
        private bool $constant,
        private int $seed,
    ) {
        foreach ($stages as [$seconds, $rate]) {
            if ($seconds <= 0.0 || $rate <= 0.0) {
                throw new InvalidArgumentException('A stage needs some seconds and a rate.');
            }
        }
    }

    public function seconds(): float
    {
        return array_sum(array_column($this->stages, 0));
    }

    /** @return Generator<int, int> nanoseconds from the beginning, ascending */
    public function times(): Generator
    {
        $random = new Randomizer(new Xoshiro256StarStar($this->seed));
        $time = $end = 0.0;
        foreach ($this->stages as [$seconds, $rate]) {
            // A wait that reaches into the next stage is forgotten there: exponential ones have no memory.
            $time = $end;
            $end += $seconds * 1e9;
            $gap = 1e9 / $rate;
            while (($time += $this->constant ? $gap : Distribution::exponential($random, $gap)) < $end) {
                yield (int) $time;
            }
        }
    }

    /** The stage that a time of times() is in; the last for any later one. */
    public function stage(int $time): int
    {
        $end = 0.0;
        foreach ($this->stages as $index => [$seconds]) {
            $end += $seconds * 1e9;
            if ($time < $end) {
                return $index;
            }
        }

        return \count($this->stages) - 1;
    }
}
