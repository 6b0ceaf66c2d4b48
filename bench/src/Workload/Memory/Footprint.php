<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Workload\Encoding\Shape;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Server\Cpu;

/** What a value takes of the store's memory, and a get of it of the request's heap. Parameter: `value`. */
final readonly class Footprint implements Workload
{
    /** Bytes of PHP values to store, at least: what a store takes a page at a time is then small beside it. */
    private const ENOUGH = 8 << 20;
    private const MOST = 20_000;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(Objects::class) && $subject->can(MemoryReporting::class)
            ? null
            : 'has no account of its memory';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each subject starts empty.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $store = ($subject->make)();
        \assert($store instanceof Objects && $store instanceof MemoryReporting);
        $store->connect($job->context());
        $value = Value::of($job);
        $number = min(self::MOST, max(8, intdiv(self::ENOUGH, \strlen(serialize($value->make(0))))));
        $before = $store->usage();
        if ($before->entryBytes === null) {
            throw new NotApplicable('has no account of its memory');
        }
        $latency = new Histogram();
        $made = [];
        for ($key = 0; $key < $number; ++$key) {
            $made[self::key($job, $key)] = $value->make($key);
        }
        $pid = [posix_getpid()];
        $cpu = Cpu::of($pid);
        $seconds = 0.0;
        foreach ($made as $key => $one) {
            $begin = hrtime(true);
            $store->setObject($key, $one);
            $after = hrtime(true);
            $latency->record($after - $begin);
            $seconds += ($after - $begin) / 1e9;
        }
        $cpu = Cpu::of($pid) - $cpu;
        unset($made, $one);
        $usage = $store->usage();
        $extra = [
            'taken, bytes' => (float) ($usage->bytes - $before->bytes) / $number,
            'by its own account, bytes' => (float) (($usage->entryBytes ?? 0) - $before->entryBytes) / $number,
            'request heap of a get, bytes' => (float) self::heap($store, $job, $value),
        ];
        $store->close();

        return new Measured(
            new Window($job->block, 0, $seconds, $number, 0, 0, $cpu, 0.0, [$number]),
            $latency,
            extra: $extra,
        );
    }

    /** What a variable with the value costs the process, after the first gets have made what is made once. */
    private static function heap(Objects $store, Job $job, Value $value): int
    {
        $heap = 0;
        foreach ([0, 1, 2, 3] as $number) {
            $key = self::key($job, $number);
            $got = null;
            $before = memory_get_usage();
            $got = $store->getObject($key);
            $heap = memory_get_usage() - $before;
            if (!Shape::same($got, $value->make($number))) {
                throw new WrongReply($key . ': not the value that was stored');
            }
        }

        return $heap;
    }

    private static function key(Job $job, int $number): string
    {
        return \sprintf('%s%07d', $job->prefix, $number);
    }
}
