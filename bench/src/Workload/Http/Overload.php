<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;

/**
 * More requests than the server can answer: how many still succeed, what fails, and how long does it take afterwards
 * until replies are normal again?
 *
 * A closed loop finds the capacity. Then an open loop has three stages: half the capacity (what is normal), `overload`
 * times the capacity, half of it. The window is the second stage. The recovery ends at the first of five slices of
 * 100 ms in a row in which nothing failed and the median latency was within twice the normal 90th percentile.
 *
 * Parameters: `seconds` (30, of overload), `calm` (5, of the stages before and after), `overload` (2.0), `connections`
 * (256, at most), `timeout` (2, in seconds: the patience of a visitor), and those of the targets.
 */
final readonly class Overload extends OverHttp
{
    /** Nanoseconds: twice the normal latency is still normal below this, since nobody could notice it. */
    private const UNNOTICED = 5e6;

    /** Microseconds: the servers leave the generator little CPU, but it must not wait as long as a visitor would. */
    private const LATE = 200_000.0;

    protected function load(Job $job, Target $target): Measured
    {
        $seconds = $job->float('seconds', 30.0);
        $calm = $job->float('calm', 5.0);
        $capacity = (new ClosedLoop($job, $target))->capacity(max(0.5, min(2.0, $calm)));
        $offered = $capacity * $job->float('overload', 2.0);
        $before = new Stage($calm, $capacity / 2);
        $during = new Stage($seconds, $offered);
        $after = new Stage($calm, $capacity / 2);
        $recovery = new Recovery(($calm + $seconds) * 1e9, ($calm * 2 + $seconds) * 1e9);
        $run = new OpenRun($target, new Arrivals([$before, $during, $after], false, $job->seed), 1);
        $run->run($job->int('connections', 256), $job->float('timeout', 2.0), $recovery->add(...));
        if ($before->right === 0) {
            $error = $before->firstError ?? 'none';
            throw new Failed(
                \sprintf('%s: no right reply before the overload, first error: %s', $target->url, $error),
            );
        }
        $window = $run->window($job, $offered);
        $recovered = $recovery->seconds(max(self::UNNOTICED, 2 * $before->percentile(0.9)));
        $extra = [
            'capacity requests/s' => $capacity,
            'offered requests/s' => $offered,
            'goodput requests/s' => $window->rate(),
            'goodput % of capacity' => $window->rate() / $capacity * 100,
            'errors %' => $during->errorShare() * 100,
            'errors % before' => $before->errorShare() * 100,
            'errors % after' => $after->errorShare() * 100,
            'p99 us before' => $before->percentile(0.99) / 1e3,
            'p99 us after' => $after->percentile(0.99) / 1e3,
            'generator late p99 us' => $run->lag(),
            ...($recovered === null ? [] : ['recovery s' => $recovered]),
        ];
        $flags = [
            ...($run->lag() > self::LATE ? ['the load generator was late'] : []),
            ...($recovered === null ? [\sprintf('not recovered within %g s', $calm)] : []),
        ];

        return new Measured(
            $window,
            $during->latency,
            $flags,
            $extra,
            $during->firstError ?? $before->firstError ?? $after->firstError,
            self::coverage($job, $target, $window->operations),
        );
    }
}
