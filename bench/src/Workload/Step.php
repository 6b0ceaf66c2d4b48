<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;

/** What a worker does over and over, and whose time is one latency. */
final readonly class Step
{
    /**
     * @param Closure(): int $run        does it, checks every reply, and returns the payload bytes it moved (0 where that means nothing)
     * @param int            $operations that one call counts as
     */
    public function __construct(
        public Closure $run,
        public int $operations = 1,
    ) {}
}
