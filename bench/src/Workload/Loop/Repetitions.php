<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Loop;

use Closure;

/** How often calls are repeated in one step, so that what is around them is small beside them. */
final readonly class Repetitions
{
    /**
     * @param Closure(int): mixed $run         does the calls that often
     * @param int                 $nanoseconds that a step shall take, about
     * @param int                 $most        repetitions
     */
    public static function filling(Closure $run, int $nanoseconds, int $most): int
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
