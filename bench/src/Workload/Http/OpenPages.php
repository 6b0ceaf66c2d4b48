<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;

/**
 * An open loop at one share of the capacity, or at several, one after the other, to find the knee: the highest of them
 * up to which nothing failed and the 99th percentile stayed within three times that of the lowest.
 *
 * The capacity is that of a closed loop just before. Parameters: `load` (0.5, as a share of it) or `loads` ("20:50:80",
 * in per cent; each gets the window's seconds, or as many as 1,200 requests take, up to 10), `connections` (256, at
 * most), `arrivals` (exponential, or constant), `timeout` (2, in seconds), and the source's.
 */
final readonly class OpenPages implements Workload
{
    private const KNEE = 3.0;

    /** A generator that is this late for one request in a hundred, in microseconds, is itself what is slow. */
    private const LATE = 10_000.0;

    /**
     * Seconds of the closed loop at least, and of a stage; and of a stage at most, where requests are too rare for a
     * percentile.
     */
    private const SHORTEST = 0.5;
    private const LONGEST = 10.0;
    private const REQUESTS = 1200;

    /** Connections of the closed loop: enough to keep two cores busy. */
    private const CLOSED = 32;

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
        $loads = self::loads($job);
        $capacity = (new Capacity($job->directory, max(self::SHORTEST, $job->seconds), $job->warmUp))->of(
            $target,
            self::CLOSED,
        );
        $extra = ['capacity requests/s' => $capacity];
        $flags = [];
        $measured = $first = $knee = null;
        foreach ($loads as $load) {
            $run = $this->at($job, $target, $capacity * $load);
            $stage = $run->stages[0];
            $tail = $stage->latency->percentile(0.99) ?? (float) $stage->latency->max();
            $first ??= $tail;
            if (\count($loads) > 1) {
                $extra[\sprintf('p99 us at %g %%', $load * 100)] = $tail / 1e3;
                $extra[\sprintf('errors %% at %g %%', $load * 100)] = $stage->errorShare() * 100;
            }
            $holds = $stage->errors === 0 && $tail <= $first * self::KNEE;
            if ($measured === null || $holds) {
                $flags = $run->lag() > self::LATE ? ['the load generator was late'] : [];
                $extra['generator late p99 us'] = $run->lag();
                $window = $run->window($job, $capacity * $load);
                $measured = new Measured(
                    $window,
                    $stage->latency,
                    $flags,
                    [],
                    $stage->firstError,
                    Coverage::every($window->operations),
                );
            }
            if (!$holds) {
                break;
            }
            $knee = $load;
        }
        if (\count($loads) > 1) {
            $extra['knee % of capacity'] = ($knee ?? 0.0) * 100;
        }
        if ($measured->window->operations === 0) {
            throw new Failed(
                \sprintf(
                    '%s: no right reply and %d errors, first: %s',
                    $target->url,
                    $measured->window->errors,
                    $measured->firstError ?? 'none',
                ),
            );
        }

        return new Measured(
            $measured->window,
            $measured->latency,
            $flags,
            $extra,
            $measured->firstError,
            $measured->coverage,
        );
    }

    private function at(Job $job, Target $target, float $rate): OpenRun
    {
        $rate = max(1.0, $rate);
        $seconds = max(self::SHORTEST, $job->seconds, min(self::LONGEST, self::REQUESTS / $rate));
        $arrivals = new Arrivals(
            [[$seconds, $rate]],
            $job->string('arrivals', 'exponential') === 'constant',
            $job->seed,
        );

        return (new OpenRun($target, $arrivals, 0))->run($job->int('connections', 256), $job->float('timeout', 2.0));
    }

    /** @return non-empty-list<float> */
    private static function loads(Job $job): array
    {
        if (!isset($job->parameters['loads'])) {
            return [self::share($job->float('load', 0.5))];
        }
        $loads = array_map(
            static fn(string $load): float => self::share((float) $load / 100),
            explode(':', $job->string('loads', '')),
        );
        sort($loads);

        return $loads;
    }

    private static function share(float $load): float
    {
        return $load >= 0.01 && $load <= 3.0
            ? $load
            : throw new InvalidArgumentException('a load must be 1 % to 300 % of the capacity');
    }
}
