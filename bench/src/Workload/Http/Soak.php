<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\ResidentMemory;

/**
 * Requests for a long time, and what memory every server process holds meanwhile: its first and last figure, and the
 * slope of a straight line through all of them, without the first tenth in which caches fill.
 *
 * wrk runs again and again, some seconds each, so that what is not the page is found soon and its own memory stays
 * small.
 *
 * Parameters: `seconds` (1800), `connections` (50), `keepalive` (true), and the source's.
 */
final readonly class Soak implements Workload
{
    private const ROUND = 10.0;
    private const SAMPLES = 300;

    public function __construct(private Targets $targets = new PageTargets()) {}

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
        $length = $job->float('seconds', 1800.0);
        $memory = new MemoryLog($length / 10, max(0.2, $length / self::SAMPLES));
        $pids = [...$target->servers, ...$target->clients];
        $begin = microtime(true);
        $sample = static fn() => $memory->add(microtime(true) - $begin, ResidentMemory::of($pids));
        $wrk = new Wrk($job->directory);
        $rounds = [];
        do {
            $left = $begin + $length - microtime(true);
            $report = $wrk->measure(
                $target,
                $job->int('connections', 50),
                ($job->parameters['keepalive'] ?? true) === true,
                max(1.0, min(self::ROUND, $left)),
                true,
                $sample,
            );
            $rounds[] = Pages::measured($job, $target, $report);
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
            Coverage::every($operations),
        );
    }
}
