<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Tags;

use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Tagged;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;

/**
 * The memory that changes leave behind. One value with one tag is made and then the tag changes, each time another tag,
 * so that nothing of it is of use afterwards.
 *
 * Parameters: `changes` (100,000), `first` (1,000), after which the memory is first measured, and `seconds`, after
 * which the run is given up.
 */
final readonly class Growth implements Workload
{
    /** The tags are spread over this many values, so that no more values than these stay. */
    private const KEYS = 100;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Tagged::class) && $subject->can(MemoryReporting::class)
            ? null
            : 'has no tags, or no account of its memory';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window begins with whatever the store has.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $tagged = ($subject->make)();
        \assert($tagged instanceof Tagged && $tagged instanceof MemoryReporting);
        $tagged->connect($job->context());
        $servers = array_merge([], ...array_map(static fn(Endpoint $server): array => $server->pids, $job->endpoints));
        $own = [posix_getpid()];
        [$changes, $first] = [$job->int('changes', 100_000), $job->int('first', 1_000)];
        $latency = new Histogram();
        [$cpu, $serverCpu] = [Cpu::of($own), Cpu::of($servers)];
        $begin = hrtime(true);
        $kept = $soon = $tagged->usage()->bytes;
        for ($name = 1; $name <= $changes; ++$name) {
            $start = hrtime(true);
            $tagged->tagged($job->prefix . 'value:' . $name % self::KEYS, static fn(): int => $name, [$name]);
            $tagged->change([$name], static function (): void {});
            $latency->record(hrtime(true) - $start);
            if ($name === $first) {
                $soon = $tagged->usage()->bytes - $kept;
            }
        }
        $seconds = (hrtime(true) - $begin) / 1e9;
        $all = $tagged->usage()->bytes - $kept;
        [$cpu, $serverCpu] = [Cpu::of($own) - $cpu, Cpu::of($servers) - $serverCpu];
        $tagged->close();

        return new Measured(new Window(
            $job->block,
            0,
            $seconds,
            $changes,
            0,
            0,
            $cpu,
            $serverCpu,
            [$changes],
        ), $latency, extra: [
            'changes' => (float) $changes,
            \sprintf('added by the first %s changes, kB', number_format($first)) => $soon / 1e3,
            'added by all, kB' => $all / 1e3,
            'left by a change, B' => (float) ($all - $soon) / max(1, $changes - $first),
        ]);
    }
}
