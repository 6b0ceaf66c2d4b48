<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Workload\CrewFailed;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;

/**
 * Many processes read one key whose value is costly to make, over several of its lives: how often it is made, and what the readers
 * feel. They come at a given pace, so reads per second are no result. Latencies are those of reads that did not compute.
 *
 * Each reply is checked; where the subject is Exact, one that is older than a change which was told before voids the cell, and for
 * others they are counted. Parameters: those of Course.
 */
final readonly class Stampede implements Workload
{
    /** Seconds that starting and ending may take. */
    private const PATIENCE = 60.0;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Remembering::class) ? null : 'has no get that makes what is missing';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window makes its value itself.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $course = Course::of($job);
        $log = self::log($job);
        try {
            return $this->run($course, $job, $subject, $log);
        } finally {
            $log->remove();
        }
    }

    /**
     * The computes alone, in the order in which they began; for whoever has no window to fill. The subject's php.ini values do not matter:
     * it is used as this process has it.
     *
     * @return list<Computed>
     */
    public function hits(Course $course, Job $job, Definition $subject): array
    {
        $log = self::log($job);
        try {
            $this->run($course, $job, $subject, $log);

            return $log->begun();
        } finally {
            $log->remove();
        }
    }

    private function run(Course $course, Job $job, Definition $definition, ComputeLog $log): Measured
    {
        $board = new Board($course->workers);
        $key = \sprintf('%sstampede:%d', $job->prefix, $job->seed);
        $own = self::remembering($definition);
        $own->connect($job->context(-1));
        $own->forget($key);
        $crowd = new Crowd($course->workers, $job->directory, static function (int $worker) use ($course, $job, $definition, $own, $key, $board, $log): Visits {
            $subject = $definition->shared ? self::remembering($definition) : $own;
            $subject->connect($job->context($worker));
            $board->set($worker, 1);

            return (new Visitor($subject, $key, $course, $board, new Origin($key, $course, $board, $log, $worker), $worker))->visit();
        });
        try {
            $servers = array_merge([], ...array_map(static fn(Endpoint $server): array => $server->pids, $job->endpoints));
            self::awaitAll($crowd, $board, $course->workers);
            if ($course->fault !== Fault::Cold) {
                // Its life begins with the run, however long the workers took to come.
                $own->remember($key, (new Origin($key, $course, $board, $log, -1))->compute(...), $course->freshness);
            }
            $before = Cpu::of($servers);
            $begin = hrtime(true) + 5_000_000;
            $board->put(Board::SLOW, $course->fault === Fault::Slow ? 1 : 0);
            $board->put(Board::BEGIN, $begin);
            $director = new Director($course, $board, $log, $crowd, $own, $key);
            for ($end = $begin + (int) ($course->seconds * 1e9); hrtime(true) < $end; usleep(4_000)) {
                $crowd->mustBeWell();
                $director->look();
            }
            $visits = $crowd->results($course->freshness->life + self::PATIENCE);
            $cpu = Cpu::of($servers) - $before;
        } finally {
            $crowd->end();
        }
        $own->close();

        return self::measured($job, $course, $visits, $log->begun(), $crowd->killed(), $cpu);
    }

    private static function log(Job $job): ComputeLog
    {
        return new ComputeLog(\sprintf('%s/computes-%d', $job->directory, getmypid()));
    }

    private static function awaitAll(Crowd $crowd, Board $board, int $workers): void
    {
        for ($deadline = microtime(true) + self::PATIENCE; $board->raised($workers) < $workers; usleep(5_000)) {
            $crowd->mustBeWell();
            if (microtime(true) > $deadline) {
                throw new CrewFailed(\sprintf('only %d of %d workers are ready', $board->raised($workers), $workers));
            }
        }
    }

    /**
     * @param list<Visits>   $visits
     * @param list<Computed> $begun
     */
    private static function measured(Job $job, Course $course, array $visits, array $begun, int $killed, float $serverCpu): Measured
    {
        $latency = new Histogram();
        foreach ($visits as $one) {
            $latency->merge(Histogram::fromArray($one->latency));
        }
        $reads = array_sum(array_column($visits, 'reads'));
        $extra = [
            ...(new Expiries($begun, $course->apart()))->figures(),
            'p99 of readers, ms' => ($latency->percentile(0.99) ?? 0.0) / 1e6,
            'longest read, ms' => $latency->max() / 1e6,
            'oldest value, s' => $visits === [] ? 0.0 : max(array_column($visits, 'oldest')),
            'reads that waited' => (float) array_sum(array_column($visits, 'waited')),
        ];
        $extra += match ($course->fault) {
            Fault::Killed => ['killed' => (float) $killed],
            Fault::Deleted => ['reads of what was deleted' => (float) array_sum(array_column($visits, 'resurrected'))],
            default => [],
        };

        return new Measured(
            new Window($job->block, 0, $course->seconds, $reads, 0, 0, array_sum(array_column($visits, 'cpu')), $serverCpu, array_map(static fn(Visits $one): int => $one->reads, $visits)),
            $latency,
            extra: $extra,
            coverage: Coverage::every($reads),
        );
    }

    private static function remembering(Definition $definition): Remembering
    {
        $subject = ($definition->make)();
        \assert($subject instanceof Remembering);

        return $subject;
    }
}
