<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

use RuntimeException;
use Symfony\Component\Process\Process;

/** One run of wrk: as many requests as fit into some seconds over 50 connections that stay open. */
final readonly class Wrk
{
    public const CONNECTIONS = 50;

    /** Prints what wrk measured as one line of JSON; latencies are in microseconds. */
    private const SCRIPT = <<<'LUA'
        done = function(summary, latency, requests)
          local e = summary.errors
          io.write(string.format(
            '\nRESULT {"requests":%d,"bytes":%d,"microseconds":%d,"p50":%d,"p99":%d,"max":%d,"errors":%d,"failed":%d}\n',
            summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
            e.connect + e.read + e.write + e.timeout, e.status))
        end
        LUA;

    public function __construct(private string $directory) {}

    /**
     * @param list<string> $headers lines such as `If-None-Match: "5-7"`
     *
     * @throws RuntimeException if wrk is not installed or prints no result
     */
    public function run(string $url, float $seconds, array $headers = []): WrkResult
    {
        $script = $this->directory . '/wrk.lua';
        file_put_contents($script, self::SCRIPT);
        $command = ['wrk', '--threads', '1', '--connections', (string) self::CONNECTIONS, '--duration', \sprintf('%ds', (int) ceil($seconds)), '--timeout', '10s', '--script', $script];
        foreach ($headers as $header) {
            array_push($command, '--header', $header);
        }
        $process = new Process([...$command, $url], timeout: $seconds + 30);
        $process->run();
        if (preg_match('/^RESULT (\{.*\})$/m', $process->getOutput(), $matches) !== 1) {
            throw new RuntimeException('wrk measured nothing: ' . trim($process->getErrorOutput() . $process->getOutput()));
        }
        /** @var array{requests: int, bytes: int, microseconds: int, p50: int, p99: int, max: int, errors: int, failed: int} $result */
        $result = json_decode($matches[1], true, flags: JSON_THROW_ON_ERROR);

        return new WrkResult(...$result);
    }
}
