<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** One line of the ComputeLog. */
final readonly class Compute
{
    /**
     * @param bool  $ended  false: it began
     * @param int   $worker -1: the process that made the value before the workers began
     * @param int   $time   nanoseconds, on the clock of hrtime()
     * @param float $moment Unix time
     */
    public function __construct(
        public bool $ended,
        public int $worker,
        public int $time,
        public float $moment,
    ) {}
}
