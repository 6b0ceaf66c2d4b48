<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Process\MemoryLog;
use Larder\Testbed\Server\ResidentMemory;

/**
 * Requests for a long time, and the memory that every process of the servers holds meanwhile: its first and last figure
 * and the slope of a straight line through all of them. The first tenth, in which caches fill, is not in the slope.
 *
 * wrk runs again and again for some seconds, so that a wrong reply is found soon and its own memory stays small.
 *
 * Parameters: `seconds` (1800), `connections` (50), `keepalive` (true), and those of the targets.
 */
final readonly class Soak extends OverHttp
{
    private const ROUND = 10.0;
    private const SAMPLES = 300;

    protected function load(Job $job, Target $target): Measured
    {
        $length = $job->float('seconds', 1800.0);
        $connections = $job->int('connections', 50);
        $keepAlive = ($job->parameters['keepalive'] ?? true) === true;
        $memory = new MemoryLog($length / 10, max(0.2, $length / self::SAMPLES));
        $pids = [...$target->servers, ...$target->clients];
        $begin = microtime(true);
        $sample = static fn() => $memory->add(microtime(true) - $begin, ResidentMemory::of($pids));
        $loop = new ClosedLoop($job, $target);
        $rounds = [];
        do {
            $seconds = max(1.0, min(self::ROUND, $begin + $length - microtime(true)));
            $rounds[] = $loop->stretch($connections, $keepAlive, $seconds, $sample);
        } while (microtime(true) - $begin < $length - 1.0);
        $sample();

        return self::together($job, $target, $rounds, $memory);
    }

    /** @param non-empty-list<Measured> $rounds */
    private static function together(Job $job, Target $target, array $rounds, MemoryLog $memory): Measured
    {
        $latency = new Histogram();
        $seconds = $clientCpu = $serverCpu = 0.0;
        $operations = $errors = 0;
        $slices = [];
        $error = null;
        foreach ($rounds as $round) {
            $latency->merge($round->latency);
            $seconds += $round->window->seconds;
            $clientCpu += $round->window->clientCpu;
            $serverCpu += $round->window->serverCpu;
            $operations += $round->window->operations;
            $errors += $round->window->errors;
            $slices[] = $round->window->operations;
            $error ??= $round->firstError;
        }

        return new Measured(
            new Window(
                $job->block,
                0,
                $seconds,
                $operations,
                $errors,
                $operations * \strlen($target->body),
                $clientCpu,
                $serverCpu,
                [$operations],
                $slices,
            ),
            $latency,
            $memory->someEnded() ? ['a server process ended on the way'] : [],
            $memory->figures(),
            $error,
            self::coverage($job, $target, $operations),
        );
    }
}
