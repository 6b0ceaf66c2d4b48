<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Generator;
use Larder\Bench\Statistics\Distribution;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** When requests are due, whatever became of the earlier ones. */
final readonly class Arrivals
{
    /**
     * @param non-empty-list<Stage> $stages   one after the other
     * @param bool                  $constant true: the same time between any two; false: exponential times, as between
     *                                        visitors who are independent of each other
     */
    public function __construct(
        public array $stages,
        private bool $constant,
        private int $seed,
    ) {}

    /** @return Generator<int, int> nanoseconds from the beginning, ascending */
    public function times(): Generator
    {
        $random = new Randomizer(new Xoshiro256StarStar($this->seed));
        $end = 0.0;
        foreach ($this->stages as $stage) {
            // Each stage starts afresh: an exponential wait has no memory, so the rest of the last one can be dropped.
            $time = $end;
            $end += $stage->seconds * 1e9;
            $gap = 1e9 / $stage->rate;
            while (($time += $this->constant ? $gap : Distribution::exponential($random, $gap)) < $end) {
                yield (int) $time;
            }
        }
    }

    /** The stage in which a request is due at that time. */
    public function stage(int $time): Stage
    {
        $end = 0.0;
        foreach ($this->stages as $stage) {
            $end += $stage->seconds * 1e9;
            if ($time < $end) {
                return $stage;
            }
        }

        return $this->stages[\count($this->stages) - 1];
    }
}
