<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Loop\GetLoop;
use Larder\Bench\Workload\Loop\SetLoop;
use Larder\Bench\Workload\Test;

/** The measurements behind what is said of the store in shared memory; see docs/reference/bench.md. */
final readonly class MemoryTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $apcu = ['apcu', 'apcu+default', 'apcu+igbinary'];
        $get = ['noop', 'array', 'include', 'shared-memory', 'shared-memory-copy', ...$apcu];
        $sizes = array_map(static fn(Value $value): string => 'value-' . $value->value, Value::cases());
        $readers = ['shared-memory', 'shared-memory*2', 'apcu', 'apcu*2'];
        $one = ['workers' => 1];
        $values = array_map(static fn(Value $value): array => ['value' => $value->value], Value::cases());

        return [
            new Test(
                'memory_get',
                title: 'Memory: get',
                work: 'a get of the same key, and again',
                unit: 'gets',
                workload: new InProcess(new GetLoop()),
                subjects: $get,
                quick: [[...$one, 'value' => 'rows']],
                full: Test::each('value', ['int', 'string', 'rows'], $one),
                quickSubjects: ['noop', 'include', 'shared-memory', 'apcu', 'apcu+igbinary'],
            ),
            new Test(
                'memory_sizes',
                title: 'Memory: get by size',
                work: 'a get from shared memory of the value that the subject is named for',
                unit: 'gets',
                workload: new InProcess(new GetLoop()),
                subjects: $sizes,
                full: [$one],
            ),
            new Test(
                'memory_readers',
                title: 'Memory: readers at once',
                work: 'a get of an int by one process, or by two',
                unit: 'gets',
                workload: new InProcess(new GetLoop(Value::Int)),
                subjects: $readers,
                full: Test::each('writer', [0, 10_000], $one),
            ),
            new Test(
                'memory_set',
                title: 'Memory: set',
                work: 'a set that replaces another; every 65th is read back',
                unit: 'sets',
                workload: new InProcess(new SetLoop()),
                subjects: ['noop', 'array', 'shared-memory-copy', ...$apcu],
                full: [[...$one, 'value' => 'rows']],
            ),
            new Test(
                'memory_bytes',
                title: 'Memory: bytes of a value',
                work: 'a set of a new key',
                unit: 'sets',
                workload: new Footprint(),
                subjects: ['shared-memory', ...$apcu],
                full: $values,
                blocks: 1,
            ),
            new Test(
                'memory_hits',
                title: 'Memory: hit ratio of a full cache',
                work: 'a get of 1,000 bytes, and on a miss a set',
                unit: 'requests',
                workload: new HitRatio(),
                subjects: ['shared-memory-16m', 'apcu-16m'],
                full: Test::each('pattern', ['zipf', 'scan']),
                blocks: 1,
            ),
        ];
    }
}
