<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Cpu;

/**
 * wrk, a load generator in C, with a script that compares every reply.
 *
 * wrk itself knows whole seconds only and counts every reply, right or wrong. The script has its own clock, so that a
 * window can be short and contains neither the start nor the end of wrk. Latencies are wrk's and those of its whole
 * run, with a lead of a tenth of the window. A request that gets no reply is not counted, since wrk waits for it.
 */
final readonly class Wrk
{
    private const SLICES = 8;

    /** A warm-up ends when three rates in a row differ by no more than this share. */
    private const STEADY = 0.05;

    /** Seconds that wrk may take to sum up at its end. */
    private const SUMMING = 60.0;

    /** The longest latency: wrk has a table of as many microseconds, in memory that it uses when needed. */
    private const LONGEST = '30s';

    /** Connections that keep two cores busy. */
    private const MANY = 32;

    /**
     * @param string $directory for the file that replies are compared with
     * @param float  $patience  seconds without a reply after which it gives up
     */
    public function __construct(
        private string $directory,
        private float $patience = 10.0,
    ) {}

    /** A window after a warm-up. The parameters of the job decide how long both take. */
    public function warmAndMeasure(Target $target, int $connections, bool $keepAlive, Job $job): WrkReport
    {
        $warmUp = $this->warmUp($target, $connections, $keepAlive, $job->warmUp);

        return $warmUp->wrong === null
            ? $this->measure($target, $connections, $keepAlive, $job->seconds)->after($warmUp)
            : $warmUp;
    }

    /** @return float the right replies per second of a closed loop: the rates of open loops are shares of it */
    public function capacity(Target $target, float $seconds, float $warmUp): float
    {
        $report = $this->warmUp($target, self::MANY, true, $warmUp);
        if ($report->wrong === null) {
            $report = $this->measure($target, self::MANY, true, $seconds, false);
        }
        if ($report->wrong !== null) {
            throw new WrongReply(\sprintf('%s: %s', $target->url, $report->wrong));
        }
        $error = \sprintf('%s: no right reply, first error: %s', $target->url, $report->error ?? 'none');

        return $report->right > 0 ? $report->rate() : throw new Failed($error);
    }

    /** Sends requests until the rate is steady or the time is over. It counts nothing. */
    public function warmUp(Target $target, int $connections, bool $keepAlive, float $atMost): WrkReport
    {
        return $this->run($target, $connections, $keepAlive, [0.0, max(0.01, $atMost), 1, self::STEADY, 0]);
    }

    /** @param Closure(): void|null $meanwhile is called some times a second */
    public function measure(
        Target $target,
        int $connections,
        bool $keepAlive,
        float $seconds,
        bool $latencies = true,
        ?Closure $meanwhile = null,
    ): WrkReport {
        $report = $this->run(
            $target,
            $connections,
            $keepAlive,
            [$seconds / 10, $seconds * 0.8, self::SLICES, 0, $latencies ? 1 : 0],
            $meanwhile,
        );
        if ($report->wrong === null && $report->seconds <= 0.0) {
            throw new Failed(\sprintf('%s: it stopped answering (%s)', $target->url, $report->error ?? 'no reply'));
        }

        return $report;
    }

    /** @param list<float|int> $times the script's: lead, window, slices, tolerance, latencies */
    private function run(
        Target $target,
        int $connections,
        bool $keepAlive,
        array $times,
        ?Closure $meanwhile = null,
    ): WrkReport {
        if ($connections < 1 || $connections > 1000) {
            throw new Failed(\sprintf('connections must be 1 to 1000, not %d', $connections));
        }
        $body = (string) tempnam($this->directory, 'body');
        file_put_contents($body, $target->body);
        try {
            $child = new Child([
                'wrk',
                '--threads',
                '1',
                '--connections',
                (string) $connections,
                '--duration',
                (string) (int) ceil($times[0] + $times[1] + $this->patience + self::SUMMING),
                '--timeout',
                self::LONGEST,
                '--script',
                __DIR__ . '/verify.lua',
                ...($keepAlive ? [] : ['--header', 'Connection: close']),
                $target->url,
                '--',
                $body,
                ...array_map(strval(...), $times),
                ...self::pairs($target->headers),
            ]);
            [$servers, $clients] = $this->watch(
                $child,
                $target,
                $times[0] + $times[1],
                $times[1],
                $meanwhile ?? static function (): void {},
            );
            $text = $this->stop($child);

            return WrkReport::parse($text, $connections, $servers, $clients)
                ?? throw new Failed(\sprintf('wrk measured nothing: %s', $child->complaint()));
        } finally {
            @unlink($body);
        }
    }

    /**
     * @param Closure(): void $meanwhile
     *
     * @return array{float, float} CPU time of servers and clients in the window, in microseconds
     */
    private function watch(Child $child, Target $target, float $seconds, float $window, Closure $meanwhile): array
    {
        $deadline = microtime(true) + $seconds + $this->patience;
        $begin = $before = null;
        while (($now = microtime(true)) < $deadline && !$child->hasEnded()) {
            $line = $child->line(min($deadline, $now + 0.2));
            if ($line === 'begin') {
                $before = [Cpu::of($target->servers), Cpu::of($target->clients)];
                $begin = hrtime(true);
                $deadline = microtime(true) + $window + $this->patience;
            } elseif ($line === 'end') {
                if ($begin === null || $before === null) {
                    break;
                }
                // Both lines arrive a little late. The share of the window is what counts.
                $part = $window * 1e9 / max(1, hrtime(true) - $begin);

                return [
                    (Cpu::of($target->servers) - $before[0]) * $part,
                    (Cpu::of($target->clients) - $before[1]) * $part,
                ];
            }
            $meanwhile();
        }

        return [0.0, 0.0];
    }

    /**
     * wrk does not hear an interrupt at its very start, so it gets several; but none while it writes, which would cut
     * that short.
     */
    private function stop(Child $child): string
    {
        $text = '';
        $deadline = microtime(true) + self::SUMMING;
        while (!$child->hasEnded() && microtime(true) < $deadline) {
            if ($text === '') {
                $child->interrupt();
            }
            $text .= $child->rest(min($deadline, microtime(true) + 0.2));
        }

        return $text;
    }

    /**
     * @param array<string, string> $headers
     *
     * @return list<string>
     */
    private static function pairs(array $headers): array
    {
        $pairs = [];
        foreach ($headers as $name => $value) {
            array_push($pairs, $name, $value);
        }

        return $pairs;
    }
}
