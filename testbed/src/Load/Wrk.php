<?php

declare(strict_types=1);

namespace Larder\Testbed\Load;

use Closure;
use Larder\Testbed\Process\Command;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\ServerFailed;

/**
 * wrk, a load generator in C, with a script in it that compares every reply.
 *
 * wrk itself knows only whole seconds and counts whatever comes. The script keeps the time by its own clock, so that a
 * window may be short and has neither wrk's start nor its end in it. Latencies are wrk's, and those are of its whole
 * run: a lead of a tenth of the window is among them. A request that is never answered is not counted at all: wrk waits
 * for it.
 */
final readonly class Wrk
{
    private const SLICES = 8;

    /** Rates this close are the same, for a warm-up. */
    private const STEADY = 0.05;

    /** Seconds that wrk's own reckoning at the end may take. */
    private const RECKONING = 60.0;

    /** wrk holds a table of microseconds of this length in memory that is not touched before it is needed. */
    private const LONGEST = '30s';

    /**
     * @param string $directory for the file that replies are compared with
     * @param float  $patience  seconds without a reply after which nothing more is expected
     */
    public function __construct(
        private string $directory,
        private float $patience = 10.0,
    ) {}

    /** Requests until the rate stands still, or the time is over; counts nothing. */
    public function warmUp(Target $target, int $connections, bool $keepAlive, float $atMost): WrkReport
    {
        return $this->run($target, $connections, $keepAlive, [0.0, max(0.01, $atMost), 1, self::STEADY, 0]);
    }

    /** @param Closure(): void|null $meanwhile called some times a second */
    public function measure(
        Target $target,
        int $connections,
        bool $keepAlive,
        float $seconds,
        bool $latencies = true,
        ?Closure $meanwhile = null,
    ): WrkReport {
        $times = [$seconds / 10, $seconds * 0.8, self::SLICES, 0, $latencies ? 1 : 0];
        $report = $this->run($target, $connections, $keepAlive, $times, $meanwhile);
        if ($report->wrong === null && $report->seconds <= 0.0) {
            throw ServerFailed::because(
                \sprintf('%s: it stopped answering (%s)', $target->url, $report->error ?? 'no reply'),
            );
        }

        return $report;
    }

    /**
     * Requests for some seconds, of which nothing is compared: wrk is then as fast as it can be.
     *
     * @param list<string> $headers of the request, such as `If-None-Match: "5-7"`
     */
    public function flood(string $url, int $connections, float $seconds, array $headers = []): WrkReport
    {
        $wrk = $this->start($url, $connections, $headers, ['-'], $seconds);
        $deadline = microtime(true) + $seconds;
        while (microtime(true) < $deadline && !$wrk->hasEnded()) {
            $wrk->line($deadline);
        }
        $report = WrkReport::parse($this->stop($wrk), $connections);

        return $report ?? throw ServerFailed::because('wrk measured nothing: ' . $wrk->complaint());
    }

    /** @param list<float|int> $times the script's: lead, window, slices, tolerance, latencies */
    private function run(
        Target $target,
        int $connections,
        bool $keepAlive,
        array $times,
        ?Closure $meanwhile = null,
    ): WrkReport {
        $body = (string) tempnam($this->directory, 'body');
        file_put_contents($body, $target->body);
        try {
            $arguments = [$body, ...array_map(strval(...), $times), ...self::pairs($target->headers)];
            $headers = [...$target->asking, ...($keepAlive ? [] : ['Connection: close'])];
            $wrk = $this->start($target->url, $connections, $headers, $arguments, $times[0] + $times[1]);
            $meanwhile ??= static function (): void {};
            [$servers, $clients] = $this->watch($wrk, $target, $times[0] + $times[1], $times[1], $meanwhile);
            $report = WrkReport::parse($this->stop($wrk), $connections, $servers, $clients);

            return $report ?? throw ServerFailed::because('wrk measured nothing: ' . $wrk->complaint());
        } finally {
            @unlink($body);
        }
    }

    /**
     * @param list<string> $headers   of the request
     * @param list<string> $arguments of the script
     */
    private function start(string $url, int $connections, array $headers, array $arguments, float $seconds): Command
    {
        if ($connections < 1 || $connections > 1000) {
            throw ServerFailed::because("connections must be 1 to 1000, not $connections");
        }
        $command = [
            'wrk', '--threads', '1', '--connections', (string) $connections,
            '--duration', (string) (int) ceil($seconds + $this->patience + self::RECKONING),
            '--timeout', self::LONGEST, '--script', __DIR__ . '/verify.lua',
        ];
        foreach ($headers as $header) {
            array_push($command, '--header', $header);
        }

        return new Command([...$command, $url, '--', ...$arguments]);
    }

    /**
     * @param Closure(): void $meanwhile
     *
     * @return array{float, float} CPU of servers and clients in the window, in microseconds
     */
    private function watch(Command $wrk, Target $target, float $seconds, float $window, Closure $meanwhile): array
    {
        $deadline = microtime(true) + $seconds + $this->patience;
        $begin = $before = null;
        while (($now = microtime(true)) < $deadline && !$wrk->hasEnded()) {
            $line = $wrk->line(min($deadline, $now + 0.2));
            if ($line === 'begin') {
                $before = [Cpu::of($target->servers), Cpu::of($target->clients)];
                $begin = hrtime(true);
                $deadline = microtime(true) + $window + $this->patience;
            } elseif ($line === 'end') {
                if ($begin === null || $before === null) {
                    break;
                }
                // This process is told a little late, both times: the share of the window is what is meant.
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
    private function stop(Command $wrk): string
    {
        $text = '';
        $deadline = microtime(true) + self::RECKONING;
        while (!$wrk->hasEnded() && microtime(true) < $deadline) {
            if ($text === '') {
                $wrk->interrupt();
            }
            $text .= $wrk->rest(min($deadline, microtime(true) + 0.2));
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
