<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;

/** What a worker does over and over, and whose time is one latency. */
final readonly class Step
{
    /**
     * @param Closure(): int $run does it, checks every reply, and returns the payload bytes it moved (0 where that
     *     means nothing)
     * @param int            $operations that one call counts as
     * @param (Closure(): int)|null $checked replies that were checked since the step was made; null: every one
     * @param string         $how        what is checked, for the report: see Coverage::$how
     * @param (Closure(): array<string, float>)|null $extras figures besides rates, by name, the unit in it; called
     *     once, after the window
     */
    public function __construct(
        public Closure $run,
        public int $operations = 1,
        public ?Closure $checked = null,
        public string $how = '',
        public ?Closure $extras = null,
    ) {}

    /**
     * How often calls are repeated in one step, so that what is around them is small beside them.
     *
     * @param Closure(int): mixed $run         does the calls that often
     * @param int                 $nanoseconds that a step shall take, about
     * @param int                 $most        repetitions
     */
    public static function repetitions(Closure $run, int $nanoseconds, int $most): int
    {
        // What is made once is made here.
        $run(1);
        $times = 1;
        do {
            $begin = hrtime(true);
            $run($times);
            $took = hrtime(true) - $begin;
        } while ($took < $nanoseconds / 2 && ($times *= 2) < $most);

        return $times;
    }
}
