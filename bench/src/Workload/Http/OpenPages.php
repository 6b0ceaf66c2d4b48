<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;

/**
 * An open loop at one share of the capacity, or at several in turn. Several find the knee: the highest share up to
 * which nothing failed and the 99th percentile stayed within three times that of the lowest share.
 *
 * The capacity is that of a closed loop just before. Parameters: `load` (0.5, a share of it) or `loads` ("20:50:80", in
 * per cent; each gets the seconds of the window, or as many as 1,200 requests take, at most 10), `connections` (256, at
 * most), `arrivals` (exponential, or constant), `timeout` (2, in seconds), and those of the targets.
 */
final readonly class OpenPages extends OverHttp
{
    private const KNEE = 3.0;

    /** Microseconds: a generator that is this late for one request in a hundred is itself the bottleneck. */
    private const LATE = 10_000.0;

    /** The least seconds of the closed loop and of a stage. */
    private const SHORTEST = 0.5;

    /**
     * A stage gets the seconds that this many requests take, so that it has a 99th percentile, but no more than these.
     */
    private const REQUESTS = 1200;
    private const LONGEST = 10.0;

    protected function load(Job $job, Target $target): Measured
    {
        $loads = self::loads($job);
        $capacity = (new ClosedLoop($job, $target))->capacity(max(self::SHORTEST, $job->seconds));
        $extra = ['capacity requests/s' => $capacity];
        $flags = [];
        $measured = $first = $knee = null;
        foreach ($loads as $load) {
            $loop = new OpenLoop($target, $job->int('connections', 256), $job->float('timeout', 2.0));
            $stage = self::stage($job, $capacity * $load);
            $constant = $job->string('arrivals', 'exponential') === 'constant';
            $window = $loop->window($job, [$stage], 0, $constant);
            $tail = $stage->percentile(0.99);
            $first ??= $tail;
            if (\count($loads) > 1) {
                $extra[\sprintf('p99 us at %g %%', $load * 100)] = $tail / 1e3;
                $extra[\sprintf('errors %% at %g %%', $load * 100)] = $stage->errorShare() * 100;
            }
            $holds = $stage->errors === 0 && $tail <= $first * self::KNEE;
            if ($measured === null || $holds) {
                $flags = $loop->lag() > self::LATE ? ['the load generator was late'] : [];
                $extra['generator late p99 us'] = $loop->lag();
                $coverage = self::coverage($job, $target, $window->operations);
                $measured = new Measured($window, $stage->latency, $flags, [], $stage->firstError, $coverage);
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
            $words = '%s: no right reply and %d errors, first: %s';
            $error = $measured->firstError ?? 'none';
            throw new Failed(\sprintf($words, $target->url, $measured->window->errors, $error));
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

    private static function stage(Job $job, float $rate): Stage
    {
        $rate = max(1.0, $rate);

        return new Stage(max(self::SHORTEST, $job->seconds, min(self::LONGEST, self::REQUESTS / $rate)), $rate);
    }

    /** @return non-empty-list<float> */
    private static function loads(Job $job): array
    {
        if (!isset($job->parameters['loads'])) {
            return [self::share($job->float('load', 0.5))];
        }
        $shares = explode(':', $job->string('loads', ''));
        $loads = array_map(static fn(string $share): float => self::share((float) $share / 100), $shares);
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
