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
     */
    public function __construct(
        public Closure $run,
        public int $operations = 1,
        public ?Closure $checked = null,
        public string $how = '',
    ) {}
}
