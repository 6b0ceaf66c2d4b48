<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Tags;

use Closure;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Tagged;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\WorkerResult;
use Larder\Bench\Workload\Workers;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;

/**
 * B12: clients read tagged records, write some anew, and change the data behind some tags. A reply that was made before
 * a change and comes after the change was announced is stale. Stale replies are counted; for a subject that is exact
 * one of them is a wrong reply.
 *
 * Parameters: `workers` (4), `seconds` (5), `writes` (9) and `cleans` (1) in per cent of all operations, and those of
 * Records.
 */
final readonly class Churn implements Workload
{
    /** Seconds that filling and ending may take. */
    private const PATIENCE = 60.0;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Tagged::class) ? null : 'has no tags';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window fills its cache itself.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $records = Records::of($job);
        $board = ChurnClient::board($records);
        $clients = $job->workers();
        $own = self::tagged($subject);
        $own->connect($job->context(-1));
        $filler = new ChurnClient($own, $records, $board, $job->prefix . $job->block . ':', $job->seed, 0, 1);
        for ($record = 0; $record < $records->records; ++$record) {
            $filler->read($record);
        }
        $kept = $own instanceof MemoryReporting ? $own->usage()->bytes : 0;
        $workers = new Workers($clients, function (int $worker, Closure $ready) use (
            $job,
            $subject,
            $own,
            $records,
            $board,
            $clients,
        ): WorkerResult {
            $tagged = $subject->shared ? self::tagged($subject) : $own;
            $tagged->connect($job->context($worker));

            return self::work(
                new ChurnClient(
                    $tagged,
                    $records,
                    $board,
                    $job->prefix . $job->block . ':',
                    $job->seed,
                    $worker,
                    $clients,
                    $subject->exact,
                ),
                $job,
                $ready,
            );
        });
        $servers = array_merge([], ...array_map(static fn(Endpoint $server): array => $server->pids, $job->endpoints));
        try {
            $workers->awaitReady(self::PATIENCE);
            $before = Cpu::of($servers);
            $workers->begin(hrtime(true) + 2_000_000);
            $results = $workers->results($job->float('seconds', 5.0) + self::PATIENCE);
            $cpu = Cpu::of($servers) - $before;
        } finally {
            $workers->end();
        }
        $grown = $own instanceof MemoryReporting ? $own->usage()->bytes - $kept : 0;
        $own->close();

        return self::together($job, $results, $cpu, $kept, $grown);
    }

    /** @param Closure(): ?int $ready see Workers */
    private static function work(ChurnClient $client, Job $job, Closure $ready): WorkerResult
    {
        [$writes, $cleans] = [$job->float('writes', 9.0), $job->float('cleans', 1.0)];
        $begin = (int) $ready();
        while (hrtime(true) < $begin);
        $usage = Cpu::own();
        $end = $begin + (int) ($job->float('seconds', 5.0) * 1e9);
        $count = 0;
        do {
            $client->step($writes, $cleans);
            ++$count;
        } while (($now = hrtime(true)) < $end);

        return new WorkerResult((
            $now
                - $begin
        ) / 1e9, $count, 0, Cpu::own() - $usage, 0.0, [], true, $client->latency->toArray(), [
            'reads/s' => (float) $client->reads,
            'writes/s' => (float) $client->writes,
            'cleans/s' => (float) $client->cleans,
            'stale reads' => (float) $client->stale,
            'made' => (float) $client->made,
        ]);
    }

    /** @param non-empty-list<WorkerResult> $results */
    private static function together(Job $job, array $results, float $serverCpu, int $kept, int $grown): Measured
    {
        $latency = new Histogram();
        $sums = array_fill_keys(array_keys($results[0]->extra), 0.0);
        foreach ($results as $result) {
            $latency->merge(Histogram::fromArray($result->latency));
            foreach ($result->extra as $name => $figure) {
                $sums[$name] += $figure;
            }
        }
        $seconds = array_sum(array_column($results, 'seconds')) / \count($results);
        $extra = [];
        foreach ($sums as $name => $sum) {
            $extra[$name] = str_ends_with($name, '/s') ? $sum / $seconds : $sum;
        }
        $extra['hits, %'] = 100.0 * (1.0 - $extra['made'] / max(1.0, $sums['reads/s'] + $sums['writes/s']));
        unset($extra['made']);

        return new Measured(
            new Window(
                $job->block,
                0,
                $seconds,
                array_sum(array_column($results, 'operations')),
                0,
                0,
                array_sum(array_column($results, 'cpu')),
                $serverCpu,
                array_column($results, 'operations'),
            ),
            $latency,
            extra: [
                ...$extra,
                'kept after filling, MB' => $kept / 1e6,
                'more after the run, %' => $kept === 0 ? 0.0 : 100.0 * $grown / $kept,
            ],
            coverage: Coverage::every((int) round($sums['reads/s'] + $sums['writes/s'])),
        );
    }

    private static function tagged(Definition $definition): Tagged
    {
        $subject = ($definition->make)();
        \assert($subject instanceof Tagged);

        return $subject;
    }
}
