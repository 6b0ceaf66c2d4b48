<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Load\WrkReport;

/**
 * A closed loop of requests by wrk: a connection sends its next request when it has the reply to the last one.
 *
 * A script in wrk compares every reply with the whole page. That takes 1 to 3 us of wrk's CPU for 2 KB, 5 for 38 KB and
 * 15 for 200 KB, beside the 11, 23 and 95 us for receiving them; on two cores the rate is the same without it. This
 * CPU time is the client's and not the servers'. The window begins after a lead of a tenth and ends before wrk does.
 * Latencies are those of wrk's whole run with its lead; they do not contain connecting, which the rate does.
 */
final readonly class ClosedLoop
{
    /** Connections that keep two cores busy. */
    private const MANY = 32;

    private Wrk $wrk;

    public function __construct(private Job $job, private Target $target)
    {
        $this->wrk = new Wrk($job->directory);
    }

    /** A warm-up and a window. */
    public function window(int $connections, bool $keepAlive): Measured
    {
        $warmUp = $this->wrk->warmUp($this->target, $connections, $keepAlive, $this->job->warmUp);

        return $this->measured(
            $warmUp->wrong === null
                ? $this->wrk->measure($this->target, $connections, $keepAlive, $this->job->seconds)
                : $warmUp,
            $warmUp->steady,
        );
    }

    /**
     * A window without a warm-up.
     *
     * @param Closure(): void $meanwhile is called some times a second
     */
    public function stretch(int $connections, bool $keepAlive, float $seconds, Closure $meanwhile): Measured
    {
        return $this->measured(
            $this->wrk->measure($this->target, $connections, $keepAlive, $seconds, true, $meanwhile),
            true,
        );
    }

    /** @return float right replies per second: the rates of open loops are shares of it */
    public function capacity(float $seconds): float
    {
        $report = $this->wrk->warmUp($this->target, self::MANY, true, $this->job->warmUp);
        if ($report->wrong === null) {
            $report = $this->wrk->measure($this->target, self::MANY, true, $seconds, false);
        }
        $this->mustBeRight($report);

        return $report->rate();
    }

    private function measured(WrkReport $report, bool $steady): Measured
    {
        $this->mustBeRight($report);
        $bytes = $report->right * \strlen($this->target->body);
        $extra = ['load generator us/request' => $report->cpu / $report->right];
        $flags = [];
        $megabytes = $bytes / $report->seconds / 1e6;
        $most = $megabytes > Loopback::SLOWEST ? (new Loopback())->megabytes() : null;
        if ($most !== null) {
            $extra['loopback MB/s'] = $most;
            $flags = $megabytes > $most * Loopback::NEAR ? ['bandwidth-bound'] : [];
        }
        $latency = new Histogram();
        foreach ($report->latencies as $microseconds => $replies) {
            $latency->record($microseconds * 1000, max(1, $replies));
        }

        return new Measured(
            new Window(
                $this->job->block,
                0,
                $report->seconds,
                $report->right,
                $report->failed + $report->broken,
                $bytes,
                $this->target->clients === [] ? $report->cpu : $report->otherCpu,
                $report->serverCpu,
                [$report->right],
                $report->slices,
                $steady,
            ),
            $latency,
            $flags,
            $extra,
            $report->error,
            OverHttp::coverage($this->job, $this->target, $report->right),
        );
    }

    /**
     * @throws WrongReply if a reply was not the page
     * @throws Failed     if no reply was right
     */
    private function mustBeRight(WrkReport $report): void
    {
        if ($report->wrong !== null) {
            throw new WrongReply(\sprintf('%s: %s', $this->target->url, $report->wrong));
        }
        if ($report->right === 0) {
            $message = '%s: no right reply and %d errors, first: %s';
            $errors = $report->failed + $report->broken;
            throw new Failed(\sprintf($message, $this->target->url, $errors, $report->error ?? 'none'));
        }
    }
}
