<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** The measurements behind what is said of the store in shared memory; see docs/reference/bench.md. */
final readonly class MemoryTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $apcu = ['apcu', 'apcu+default', 'apcu+igbinary'];
        $get = ['noop', 'array', 'include', 'shared-memory', 'shared-memory-copy', ...$apcu];
        $sizes = array_map(static fn(Value $value): string => $value->subject(), Value::cases());
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

    /**
     * Shared memory in share mode with values of one kind, by its name (`value-int`, `value-rows`), and stores that are
     * too small for what is put into them.
     *
     * @return list<Definition>
     */
    public static function subjects(): array
    {
        $local = Catalogue::withOnly('shared-memory');

        return [
            ...self::byValue($local->get('shared-memory')),
            self::small($local->get('shared-memory-copy'), 'shared-memory-16m', 'larder.size'),
            self::small($local->get('apcu'), 'apcu-16m', 'apc.shm_size'),
        ];
    }

    private static function small(Definition $store, string $id, string $size): Definition
    {
        return new Definition(
            $id,
            $store->title . ', 16 MB',
            $store->class,
            $store->make,
            terms: [...$store->terms, 'tuned' => $size . ' = 16M, so that it is always full'],
            extensions: $store->extensions,
            shared: $store->shared,
            ini: [...$store->ini, $size => '16M'],
        );
    }

    /** @return list<Definition> */
    private static function byValue(Definition $store): array
    {
        return array_map(static fn(Value $value): Definition => $store->with(
            $value->subject(),
            \sprintf('%s: %s', $store->title, $value->title()),
            only: [Objects::class],
        ), Value::cases());
    }
}
