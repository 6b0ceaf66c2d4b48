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
use Larder\Testbed\Process\Fork;

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

    /** Seconds for which the loopback is measured, and the bytes of one read or write. */
    private const LOOPBACK_SECONDS = 0.06;
    private const LOOPBACK_BLOCK = 262_144;

    /** From this share of the loopback's rate on, the bytes are the limit. */
    private const NEAR = 0.5;

    /** Megabytes per second that every machine can move. Below them the loopback is not measured. */
    private const SLOWEST = 200.0;

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

    /**
     * How many bytes a second this machine moves through its own TCP: a reader and a writer that do nothing else. A
     * page that comes near that rate is limited by memory and kernel, and not by what made the page.
     *
     * @return float|null megabytes per second; null: it cannot be measured
     */
    public static function loopback(): ?float
    {
        $server = @stream_socket_server('tcp://127.0.0.1:0');
        if ($server === false) {
            return null;
        }
        $writer = Fork::start(static fn() => self::flood((string) stream_socket_get_name($server, false)));
        $socket = @stream_socket_accept($server, 2.0);
        if ($socket !== false) {
            // PHP reads by 8 KB otherwise.
            stream_set_read_buffer($socket, 0);
        }
        $bytes = 0;
        $begin = hrtime(true);
        $now = $begin + 1;
        while ($socket !== false && $now - $begin < self::LOOPBACK_SECONDS * 1e9) {
            $more = fread($socket, self::LOOPBACK_BLOCK);
            if ($more === false || $more === '') {
                break;
            }
            $bytes += \strlen($more);
            $now = hrtime(true);
        }
        posix_kill($writer, SIGKILL);
        pcntl_waitpid($writer, $status);

        return $bytes === 0 ? null : $bytes / ($now - $begin) * 1e3;
    }

    private function measured(WrkReport $report, bool $steady): Measured
    {
        $this->mustBeRight($report);
        $bytes = $report->right * \strlen($this->target->body);
        $extra = ['load generator us/request' => $report->cpu / $report->right];
        $flags = [];
        $megabytes = $bytes / $report->seconds / 1e6;
        $most = $megabytes > self::SLOWEST ? self::loopback() : null;
        if ($most !== null) {
            $extra['loopback MB/s'] = $most;
            $flags = $megabytes > $most * self::NEAR ? ['bandwidth-bound'] : [];
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

    private static function flood(string $address): void
    {
        $socket = @stream_socket_client('tcp://' . $address, $code, $words, 2.0);
        if ($socket !== false) {
            stream_set_write_buffer($socket, 0);
            stream_set_chunk_size($socket, self::LOOPBACK_BLOCK);
        }
        $block = str_repeat('x', self::LOOPBACK_BLOCK);
        while ($socket !== false && (int) @fwrite($socket, $block) > 0);
    }
}
