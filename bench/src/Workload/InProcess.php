<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject;
use Larder\Bench\Subject\Definition;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\ProcessTree;

/**
 * Operations, done by forked workers at once. Each connects after the fork, warms up until its rate stands still, and
 * waits for the others; start signal and results go through socket pairs, never through the store that is measured.
 *
 * Parameters: `workers` (1, for each of the subject's own); `load` (0: as fast as it goes; 0.5: an open loop that
 * starts half as many operations as the warm-up managed) with `arrivals` (exponential, or constant).
 */
final readonly class InProcess implements Workload
{
    /** What a subject without the interface has not. */
    private const WORDS = [
        Subject\Appending::class => 'append',
        Subject\Counting::class => 'counters',
        Subject\Collections::class => 'lists, hashes and sets',
        Subject\CountingMany::class => 'counters by many keys at once',
        Subject\Encoder::class => 'way to encode a value',
        Subject\KeyValue::class => 'get and set by key',
        Subject\ManyKeys::class => 'operations on many keys at once',
        Subject\Objects::class => 'serializer of its own',
    ];

    private const MOST_WORKERS = 256;

    /** Seconds that starting, a slow step and the end may take beside warm-up and window. */
    private const PATIENCE = 20.0;

    /** Nanoseconds until several workers begin, so that the start signal has reached all of them. */
    private const HEAD_START = 2_000_000;

    public function __construct(private Operations $operations) {}

    public function refuses(Definition $subject): ?string
    {
        foreach ($this->operations->needs() as $interface) {
            if (!$subject->can($interface)) {
                return 'has no ' . (self::WORDS[$interface] ?? $interface);
            }
        }

        return null;
    }

    /** @return array<string, float> what the operations find in a trace of their system calls */
    public function figures(string $trace): array
    {
        return $this->operations instanceof Traced ? $this->operations->figures($trace) : [];
    }

    public function prepare(Job $job, Definition $subject): void
    {
        foreach ($job->fillers($subject) as $context) {
            $filler = ($subject->make)();
            $filler->connect($context);
            $this->operations->fill($filler, $job);
            $filler->close();
        }
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $left = $job->turns;

        return $this->measureInTurns($job, $subject, static function () use (&$left): bool {
            return $left-- > 0;
        });
    }

    /**
     * @param Closure(): bool $next called when all is ready, and after each turn: returns when the next is due, or
     *     false if there is none
     */
    public function measureInTurns(Job $job, Definition $subject, Closure $next): Measured
    {
        $workers = $job->workers() * $subject->times;
        if ($workers < 1 || $workers > self::MOST_WORKERS) {
            throw new \InvalidArgumentException(
                \sprintf('workers must be 1 to %d, not %d', self::MOST_WORKERS, $workers),
            );
        }
        $own = null;
        if (!$subject->shared) {
            $own = ($subject->make)();
            $own->connect($job->context(-1));
            $this->operations->fill($own, $job);
        }
        $forked = new Workers($workers, function (int $worker, Closure $turn) use ($job, $subject, $own): WorkerResult {
            $measured = $own ?? ($subject->make)();
            $measured->connect($job->context($worker));
            $step = $this->operations->step($measured, $job, $worker);
            $result = (new Worker($step, $job, $worker))->work($turn);
            if ($worker === 0 && $step->extras !== null) {
                $result = $result->with(($step->extras)());
            }
            $measured->close();

            return $result;
        });
        try {
            $forked->awaitReady($job->warmUp + self::PATIENCE);
            $pids = self::servers($job);
            $serverCpu = $took = 0.0;
            while ($next()) {
                $before = Cpu::of($pids);
                $begin = hrtime(true);
                $forked->begin($begin + ($workers > 1 ? self::HEAD_START : 0));
                $forked->awaitReady($job->seconds + self::PATIENCE);
                $took += (hrtime(true) - $begin) / 1e9;
                $serverCpu += Cpu::of($pids) - $before;
            }
            $forked->finish();
            $results = $forked->results(self::PATIENCE);
        } finally {
            $forked->end();
        }

        return $this->together($results, $serverCpu / max(1e-9, $took), $job);
    }

    /** @return list<int> with the processes that some have made for the workers' connections */
    private static function servers(Job $job): array
    {
        $pids = [];
        foreach ($job->endpoints as $endpoint) {
            array_push($pids, ...array_merge(...array_map(ProcessTree::of(...), $endpoint->pids)));
        }

        return array_values(array_unique($pids));
    }

    /**
     * @param non-empty-list<WorkerResult> $results
     * @param float                        $serverCpu microseconds per second
     */
    private function together(array $results, float $serverCpu, Job $job): Measured
    {
        $latency = new Histogram();
        $seconds = $clientCpu = $offered = 0.0;
        $operations = $bytes = 0;
        $workers = $slices = [];
        $steady = true;
        $extra = [];
        $coverage = new Coverage(0, 0);
        foreach ($results as $result) {
            $latency->merge(Histogram::fromArray($result->latency));
            $seconds += $result->seconds / \count($results);
            $clientCpu += $result->cpu;
            $offered += $result->offered;
            $operations += $result->operations;
            $bytes += $result->bytes;
            $workers[] = $result->operations;
            foreach ($result->slices as $index => $count) {
                $slices[$index] = ($slices[$index] ?? 0) + $count;
            }
            $steady = $steady && $result->steady;
            $extra += $result->extra;
            $coverage = $result->coverage?->plus($coverage) ?? $coverage;
        }
        // The servers' share was taken over whole turns; workers count from the first to the last tenth of each.
        $serverCpu *= $seconds;

        return new Measured(
            new Window(
                $job->block,
                0,
                $seconds,
                $operations,
                0,
                $bytes,
                $clientCpu,
                $serverCpu,
                $workers,
                array_values($slices),
                $steady,
                $offered > 0.0 ? $offered : null,
            ),
            $latency,
            extra: $extra,
            coverage: $coverage,
            latencyOf: $operations / max(1, $latency->count()),
        );
    }
}
