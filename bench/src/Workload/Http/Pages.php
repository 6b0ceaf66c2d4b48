<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;

/**
 * A closed loop of requests by wrk: the next one on a connection starts when the last has been answered.
 *
 * Every reply is compared with the page, whole, by a script in wrk: 1 to 3 us of its CPU for 2 KB, 5 for 38 KB, 15 for
 * 200 KB, on top of the 11, 23 and 95 that receiving them takes (on two cores; the rate is the same with and without).
 * They are the client's, not the servers'. The window begins after a lead of a tenth and ends before wrk does;
 * latencies alone are of wrk's whole run, lead included, and do not contain connecting (without keep-alive, the rate
 * does).
 *
 * Parameters: `connections` (50), `keepalive` (true), and the source's.
 */
final readonly class Pages implements Workload
{
    /** @param bool $keepAlive unless the parameter says otherwise */
    public function __construct(
        private Targets $targets = new PageTargets(),
        private bool $keepAlive = true,
    ) {}

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
        $connections = $job->int('connections', 50);
        $keepAlive = ($job->parameters['keepalive'] ?? $this->keepAlive) === true;
        $wrk = new Wrk($job->directory);
        $warmUp = $wrk->warmUp($target, $connections, $keepAlive, $job->warmUp);
        $report = $warmUp->wrong === null
            ? $wrk->measure($target, $connections, $keepAlive, $job->seconds)->after($warmUp)
            : $warmUp;

        return self::measured($job, $target, $report);
    }

    /** @internal also for those that look at more than one window */
    public static function measured(Job $job, Target $target, WrkReport $report): Measured
    {
        if ($report->wrong !== null) {
            throw new WrongReply(\sprintf('%s: %s', $target->url, $report->wrong));
        }
        $errors = $report->failed + $report->broken;
        if ($report->right === 0) {
            throw new Failed(
                \sprintf(
                    '%s: no right reply and %d errors, first: %s',
                    $target->url,
                    $errors,
                    $report->error ?? 'none',
                ),
            );
        }
        $bytes = $report->right * \strlen($target->body);
        $extra = ['load generator us/request' => $report->cpu / $report->right];
        $flags = [];
        $megabytes = $bytes / $report->seconds / 1e6;
        $most = $megabytes > Loopback::FAR ? (new Loopback())->megabytes() : null;
        if ($most !== null) {
            $extra['loopback MB/s'] = $most;
            $flags = $megabytes > $most * Loopback::NEAR ? ['bandwidth-bound'] : [];
        }

        return new Measured(
            new Window(
                $job->block,
                0,
                $report->seconds,
                $report->right,
                $errors,
                $bytes,
                $target->clients === [] ? $report->cpu : $report->otherCpu,
                $report->serverCpu,
                [$report->right],
                $report->slices,
                $report->steady,
            ),
            $report->latency,
            $flags,
            $extra,
            $report->error,
            Coverage::every($report->right),
        );
    }
}
