<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;

/** The most that a closed loop of as many connections gets: what an open loop's rate is a share of. */
final readonly class Capacity
{
    public function __construct(
        private string $directory,
        private float $seconds,
        private float $warmUp,
    ) {}

    /** @return float right replies per second */
    public function of(Target $target, int $connections): float
    {
        $wrk = new Wrk($this->directory);
        $warmUp = $wrk->warmUp($target, $connections, true, $this->warmUp);
        $report = $warmUp->wrong === null ? $wrk->measure($target, $connections, true, $this->seconds, false) : $warmUp;
        if ($report->wrong !== null) {
            throw new WrongReply(\sprintf('%s: %s', $target->url, $report->wrong));
        }

        return $report->right > 0
            ? $report->rate()
            : throw new Failed(\sprintf('%s: no right reply, first error: %s', $target->url, $report->error ?? 'none'));
    }
}
