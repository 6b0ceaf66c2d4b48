<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;

/**
 * More requests than can be answered, and then half as many again: what still gets through, what fails, and how long it
 * takes until all is as before.
 *
 * First a closed loop for the capacity, then an open loop of three stages: half of it (what is normal), `overload`
 * times it, half of it. The window is the second stage. Recovery is counted from that stage's end to the first of five
 * slices of 100 ms in a row in which nothing failed and the median latency was within twice the normal 90th percentile.
 *
 * Parameters: `seconds` (30, of overload), `calm` (5, of the stages before and after), `overload` (2.0), `connections`
 * (256, at most), `timeout` (2, in seconds; a visitor's patience), and the source's.
 */
final readonly class Overload implements Workload
{
    /** Nanoseconds: below it, twice the normal latency is nothing that anybody could notice. */
    private const FLOOR = 5e6;

    private const CLOSED = 32;

    /**
     * Microseconds. With the servers taking all there is, the generator has to wait for its turn: much less than a
     * visitor's patience.
     */
    private const LATE = 200_000.0;

    public function __construct(private Targets $targets = new PageTargets()) {}

    public function refuses(Definition $subject): ?string
    {
        return $this->targets->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $this->targets->prepare($job, $subject);
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $target = $this->targets->target($job, $subject);
        $seconds = $job->float('seconds', 30.0);
        $calm = $job->float('calm', 5.0);
        $capacity = (new Capacity($job->directory, max(0.5, min(2.0, $calm)), $job->warmUp))->of($target, self::CLOSED);
        $offered = $capacity * $job->float('overload', 2.0);
        $arrivals = new Arrivals(
            [[$calm, $capacity / 2], [$seconds, $offered], [$calm, $capacity / 2]],
            false,
            $job->seed,
        );
        $recovery = new Recovery(($calm + $seconds) * 1e9, ($calm * 2 + $seconds) * 1e9);
        $run = (new OpenRun($target, $arrivals, 1))->run(
            $job->int('connections', 256),
            $job->float('timeout', 2.0),
            $recovery->add(...),
        );
        [$before, $during, $after] = [$run->stages[0], $run->stages[1], $run->stages[2] ?? $run->stages[1]];
        if ($before->right === 0) {
            throw new Failed(
                \sprintf(
                    '%s: no right reply before the overload, first error: %s',
                    $target->url,
                    $before->firstError ?? 'none',
                ),
            );
        }
        $normal = max(self::FLOOR, 2 * ($before->latency->percentile(0.9) ?? (float) $before->latency->max()));
        $window = $run->window($job, $offered);
        $recovered = $recovery->seconds($normal);
        $extra = [
            'capacity requests/s' => $capacity,
            'offered requests/s' => $offered,
            'goodput requests/s' => $window->rate(),
            'goodput % of capacity' => $window->rate() / $capacity * 100,
            'errors %' => $during->errorShare() * 100,
            'errors % before' => $before->errorShare() * 100,
            'errors % after' => $after->errorShare() * 100,
            'p99 us before' => ($before->latency->percentile(0.99) ?? (float) $before->latency->max()) / 1e3,
            'p99 us after' => ($after->latency->percentile(0.99) ?? (float) $after->latency->max()) / 1e3,
            'generator late p99 us' => $run->lag(),
            ...($recovered === null ? [] : ['recovery s' => $recovered]),
        ];

        return new Measured(
            $window,
            $during->latency,
            [
                ...($run->lag() > self::LATE ? ['the load generator was late'] : []),
                ...($recovered === null ? [\sprintf('not recovered within %g s', $calm)] : []),
            ],
            $extra,
            $during->firstError ?? $before->firstError ?? $after->firstError,
            Coverage::every($window->operations),
        );
    }
}
