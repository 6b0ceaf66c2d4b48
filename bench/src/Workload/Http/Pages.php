<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;

/**
 * A closed loop of requests by wrk: a connection sends its next request when it has the reply to the last one.
 *
 * A script in wrk compares every reply with the whole page. That takes 1 to 3 us of wrk's CPU for 2 KB, 5 for 38 KB and
 * 15 for 200 KB, beside the 11, 23 and 95 us for receiving them; on two cores the rate is the same without it. This
 * CPU time is the client's and not the servers'. The window begins after a lead of a tenth and ends before wrk does.
 * Latencies are those of wrk's whole run with its lead; they do not contain connecting, which the rate does.
 *
 * With ClientTargets a request to php-fpm loads the classes, connects a client, does one step and ends, as a web page
 * does. The client's CPU is then that of nginx and php-fpm, and that of wrk is a further figure. Compared with the same
 * step in process this shows the cost of a request before its client starts to work; the subject `noop` is the floor.
 *
 * Parameters: `connections` (50), `keepalive` (true), and those of the targets.
 */
final readonly class Pages extends OverHttp
{
    /** @param bool $keepAlive unless the parameter says otherwise */
    public function __construct(Targets $targets = new PageTargets(), private bool $keepAlive = true)
    {
        parent::__construct($targets);
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $target = $this->targets->target($job, $subject);
        $connections = $job->int('connections', 50);
        $keepAlive = ($job->parameters['keepalive'] ?? $this->keepAlive) === true;
        $report = (new Wrk($job->directory))->warmAndMeasure($target, $connections, $keepAlive, $job);

        return self::measured($job, $target, $report);
    }

    /** @internal for workloads that consist of several windows */
    public static function measured(Job $job, Target $target, WrkReport $report): Measured
    {
        if ($report->wrong !== null) {
            throw new WrongReply(\sprintf('%s: %s', $target->url, $report->wrong));
        }
        $errors = $report->failed + $report->broken;
        if ($report->right === 0) {
            $first = $report->error ?? 'none';
            throw new Failed(\sprintf('%s: no right reply and %d errors, first: %s', $target->url, $errors, $first));
        }
        $bytes = $report->right * \strlen($target->body);
        $extra = ['load generator us/request' => $report->cpu / $report->right];
        $flags = [];
        $megabytes = $bytes / $report->seconds / 1e6;
        $most = $megabytes > Loopback::SLOWEST ? (new Loopback())->megabytes() : null;
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
            $target->coverage($report->right),
        );
    }
}
