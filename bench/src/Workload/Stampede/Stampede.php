<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Thrown;
use Larder\Bench\Workload\WorkerResult;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/**
 * Many processes read one key whose value is costly to make, over several of its lives: how often is it made, and what
 * do the readers feel? They read at a given pace, so reads per second are no result. Latencies are those of reads that
 * did not compute.
 *
 * Each reply is checked. A reply that is older than a change which was announced before is wrong if the subject is
 * exact; for other subjects such replies are counted. Parameters: those of Scenario.
 *
 * @phpstan-import-type Compute from ComputeLog
 */
final readonly class Stampede implements Workload
{
    /** Series of the board: the generation of the data. */
    public const GENERATION = 'generation';

    /** The last generation whose change was announced. */
    public const ANNOUNCED = 'announced';

    /** When the readers begin, on the clock of hrtime(). */
    public const BEGIN = 'begin';

    /** 1: the next compute takes longer than its lease. */
    public const SLOW = 'slow';

    /** 1 for each worker that is ready. */
    private const READY = 'ready';

    /** Nanoseconds from the last word to the workers to the first read: all must have seen it by then. */
    private const LEAD = 100_000_000;

    /** Microseconds between two looks at the workers and at the fault. */
    private const LOOK = 4_000;

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
        $scenario = Scenario::of($job);
        $log = self::log($job);
        try {
            return $this->run($scenario, $job, $subject, $log);
        } finally {
            $log->remove();
        }
    }

    /**
     * The computes of a run without a window. The subject uses the php.ini of this process.
     *
     * @return list<Compute> in the order in which they began
     */
    public function hits(Scenario $scenario, Job $job, Definition $subject): array
    {
        $log = self::log($job);
        try {
            $this->run($scenario, $job, $subject, $log);

            return $log->begun();
        } finally {
            $log->remove();
        }
    }

    private function run(Scenario $scenario, Job $job, Definition $definition, ComputeLog $log): Measured
    {
        $names = [self::GENERATION => 1, self::ANNOUNCED => 1, self::BEGIN => 1, self::SLOW => 1];
        $board = Board::create([...$names, self::READY => $scenario->workers]);
        $key = \sprintf('%sstampede:%d', $job->prefix, $job->seed);
        $own = self::remembering($definition);
        $own->connect($job->context(-1));
        $own->forget($key);
        $work = static function (int $worker) use (
            $scenario,
            $job,
            $definition,
            $own,
            $key,
            $board,
            $log,
        ): WorkerResult {
            $subject = $definition->shared ? self::remembering($definition) : $own;
            $subject->connect($job->context($worker));
            $source = new SlowSource($key, $scenario, $board, $log, $worker);
            $board->set(self::READY, 1, $worker);

            return (new Reader($subject, $key, $scenario, $board, $source, $worker, $definition->exact))->run();
        };
        $pool = new WorkerPool(static function (int $worker) use ($work): WorkerResult|Thrown {
            try {
                return $work($worker);
            } catch (Throwable $thrown) {
                return Thrown::of($thrown);
            }
        });
        try {
            $pool->fill($scenario->workers);
            $servers = array_merge([], ...array_map(static fn(Endpoint $one): array => $one->pids, $job->endpoints));
            self::awaitReady($pool, $board);
            if ($scenario->fault !== Scenario::COLD) {
                // The value's life begins with the run, however long the workers took to start.
                $source = new SlowSource($key, $scenario, $board, $log, -1);
                $own->remember($key, $source->compute(...), $scenario->freshness);
            }
            $before = Cpu::of($servers);
            $begin = hrtime(true) + self::LEAD;
            $board->set(self::SLOW, $scenario->fault === Scenario::SLOW ? 1 : 0);
            $board->set(self::BEGIN, $begin);
            $injector = new FaultInjector($scenario, $board, $log, $pool, $own, $key);
            $results = [];
            $end = $begin + (int) ($scenario->seconds * 1e9);
            for ($look = 1; hrtime(true) < $end; ++$look, usleep(self::LOOK)) {
                $injector->look();
                // To ask for hundreds of processes takes longer than to look at the log.
                if ($look % 25 === 0) {
                    array_push($results, ...self::results($pool->reap()));
                }
            }
            $ends = $pool->end($scenario->freshness->life + self::PATIENCE);
            $killed = array_filter($injector->ends(), static fn(WorkerEnd $end): bool => !$end->finished);
            $finished = array_filter($injector->ends(), static fn(WorkerEnd $end): bool => $end->finished);
            array_push($results, ...self::results([...$ends, ...$finished]));
            $cpu = Cpu::of($servers) - $before;
        } finally {
            $pool->killAll();
        }
        $own->close();

        return self::measured($job, $scenario, $results, $log->begun(), \count($killed), $cpu);
    }

    private static function log(Job $job): ComputeLog
    {
        return new ComputeLog(\sprintf('%s/computes-%d', $job->directory, getmypid()));
    }

    private static function awaitReady(WorkerPool $pool, Board $board): void
    {
        $workers = $board->count(self::READY);
        for ($deadline = microtime(true) + self::PATIENCE; $board->sum(self::READY) < $workers; usleep(5_000)) {
            self::results($pool->reap());
            if (microtime(true) > $deadline) {
                throw new Failed(\sprintf('only %d of %d workers are ready', $board->sum(self::READY), $workers));
            }
        }
    }

    /**
     * @param array<WorkerEnd> $ends of workers that were not killed on purpose
     *
     * @return list<WorkerResult>
     *
     * @throws Throwable what a worker has thrown
     */
    private static function results(array $ends): array
    {
        return array_values(array_map(static fn(WorkerEnd $end): WorkerResult => match (true) {
            $end->result instanceof WorkerResult => $end->result,
            $end->result instanceof Thrown => throw $end->result->exception(\sprintf('worker %d: ', $end->number)),
            default => throw new Failed(\sprintf('worker %d %s', $end->number, $end->reason())),
        }, $ends));
    }

    /**
     * @param list<WorkerResult> $results
     * @param list<Compute>      $begun
     */
    private static function measured(
        Job $job,
        Scenario $scenario,
        array $results,
        array $begun,
        int $killed,
        float $serverCpu,
    ): Measured {
        $latency = new Histogram();
        foreach ($results as $result) {
            $latency->merge(Histogram::fromArray($result->latency));
        }
        $figures = array_column($results, 'extra');
        $extra = [
            ...ComputeLog::figures($begun, $scenario->apart()),
            'p99 of readers, ms' => ($latency->percentile(0.99) ?? 0.0) / 1e6,
            'longest read, ms' => $latency->max() / 1e6,
            'oldest value, s' => max([0.0, ...array_column($figures, 'oldest')]),
            'reads that waited' => (float) array_sum(array_column($figures, 'waited')),
        ];
        $extra += match ($scenario->fault) {
            Scenario::KILLED => ['killed' => (float) $killed],
            Scenario::DELETED => [
                'reads of what was deleted' => (float) array_sum(array_column($figures, 'resurrected')),
            ],
            default => [],
        };
        $reads = array_column($results, 'operations');
        $cpu = (float) array_sum(array_column($results, 'cpu'));

        return new Measured(
            new Window($job->block, 0, $scenario->seconds, array_sum($reads), 0, 0, $cpu, $serverCpu, $reads),
            $latency,
            extra: $extra,
            coverage: Coverage::every(array_sum($reads)),
        );
    }

    private static function remembering(Definition $definition): Remembering
    {
        $subject = ($definition->make)();
        \assert($subject instanceof Remembering);

        return $subject;
    }
}
