<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Quantile;

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

    /** Nanoseconds: requests after the overload are counted in slices of this length. */
    private const SLICE = 100_000_000;

    /** This many normal slices in a row are no accident. */
    private const ROW = 5;

    protected function load(Job $job, Target $target): Measured
    {
        $seconds = $job->float('seconds', 30.0);
        $calm = $job->float('calm', 5.0);
        $capacity = (new ClosedLoop($job, $target))->capacity(max(0.5, min(2.0, $calm)));
        $offered = $capacity * $job->float('overload', 2.0);
        $before = new Stage($calm, $capacity / 2);
        $during = new Stage($seconds, $offered);
        $after = new Stage($calm, $capacity / 2);
        [$begin, $end] = [($calm + $seconds) * 1e9, ($calm * 2 + $seconds) * 1e9];
        $requests = [];
        $loop = new OpenLoop($target, $job->int('connections', 256), $job->float('timeout', 2.0));
        $window = $loop->window(
            $job,
            [$before, $during, $after],
            1,
            false,
            static function (int $due, int $end, ?string $error) use ($begin, &$requests): void {
                if ($due >= $begin) {
                    $requests[] = [$due, $end, $error];
                }
            },
        );
        if ($before->right === 0) {
            $error = $before->firstError ?? 'none';
            throw new Failed(
                \sprintf('%s: no right reply before the overload, first error: %s', $target->url, $error),
            );
        }
        $recovered = self::recovery($requests, $begin, $end, max(self::UNNOTICED, 2 * $before->percentile(0.9)));
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
            'generator late p99 us' => $loop->lag(),
            ...($recovered === null ? [] : ['recovery s' => $recovered]),
        ];
        $flags = [
            ...($loop->lag() > self::LATE ? ['the load generator was late'] : []),
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

    /**
     * How long it took after an overload until replies were normal again. A request belongs to the slice in which it
     * was due.
     *
     * @param list<array{int, int, string|null}> $requests when due, when ended, and error of each
     * @param float                              $begin    nanoseconds: the overload's end
     * @param float                              $end      nanoseconds: nothing was due from then on
     * @param float                              $normal   nanoseconds up to which a slice's median is
     *
     * @return float|null seconds from the overload's end to the first normal slice that normal ones follow; null: there
     *     was none
     */
    public static function recovery(array $requests, float $begin, float $end, float $normal): ?float
    {
        $latencies = $failed = [];
        foreach ($requests as [$due, $ended, $error]) {
            $slice = (int) floor(($due - $begin) / self::SLICE);
            if ($error === null) {
                $latencies[$slice][] = (float) ($ended - $due);
            } else {
                $failed[$slice] = true;
            }
        }
        $slices = (int) ceil(($end - $begin) / self::SLICE);
        $row = 0;
        for ($slice = 0; $slice < $slices; ++$slice) {
            // A slice in which no request was due is normal.
            $isNormal = !isset($failed[$slice])
                && (!isset($latencies[$slice]) || Quantile::median($latencies[$slice]) <= $normal);
            $row = $isNormal ? $row + 1 : 0;
            if ($row === self::ROW || ($row > 0 && $slice === $slices - 1 && $row === $slices)) {
                return ($slice + 1 - $row) * self::SLICE / 1e9;
            }
        }

        return null;
    }
}
