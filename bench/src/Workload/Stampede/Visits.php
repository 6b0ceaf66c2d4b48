<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** What one worker saw. */
final readonly class Visits
{
    /**
     * @param int          $reads       calls, those that computed included
     * @param int          $waited      calls that took longer than half a compute and did not compute
     * @param int          $resurrected replies older than a change that was done before the call
     * @param float        $oldest      seconds since the oldest value that it got was made
     * @param float        $cpu         microseconds
     * @param array<mixed> $latency     of calls that did not compute, as Histogram::toArray() gives it
     */
    public function __construct(
        public int $reads,
        public int $computed,
        public int $waited,
        public int $resurrected,
        public float $oldest,
        public float $cpu,
        public array $latency,
    ) {}
}
