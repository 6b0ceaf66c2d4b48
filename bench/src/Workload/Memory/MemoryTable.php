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
        $small = ['shared-memory-64m', 'apcu-64m'];
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
                'memory_write',
                title: 'Memory: set of the same key',
                work: 'a set of one of eight keys, again',
                unit: 'sets',
                workload: new InProcess(new WriteLoop()),
                subjects: ['noop', ...$small],
                full: Test::each('size', [0, 100, 400], $one),
            ),
            new Test(
                'memory_new',
                title: 'Memory: set of a new key',
                work: 'a set of a key that was never there, of 12 bytes, where there is room, or where each evicts',
                unit: 'sets',
                workload: new NewKeys(),
                subjects: $small,
                full: [
                    ...Test::each('room', ['new', 'free', 'full'], ['size' => 0]),
                    ...Test::each('room', ['new', 'free', 'full'], ['size' => 100]),
                ],
            ),
            new Test(
                'memory_count',
                title: 'Memory: increment',
                work: 'an increment by one process, or by two, each of its own counter',
                unit: 'increments',
                workload: new InProcess(new CountLoop()),
                subjects: ['noop', 'shared-memory-64m', 'shared-memory-64m*2', 'apcu-64m', 'apcu-64m*2'],
                full: [$one],
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
                work: 'a get of 1,000 bytes, or of 100, and on a miss a set',
                unit: 'requests',
                workload: new HitRatio(),
                subjects: ['shared-memory-16m', 'apcu-16m'],
                full: [
                    ...Test::each('pattern', ['zipf', 'scan']),
                    ...Test::each('pattern', ['zipf', 'scan'], ['size' => 100, 'keys' => 400_000]),
                ],
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
            self::small($local->get('shared-memory-copy'), 'shared-memory-16m', 'larder.size', '16M'),
            self::small($local->get('apcu'), 'apcu-16m', 'apc.shm_size', '16M'),
            self::small($local->get('shared-memory-copy'), 'shared-memory-64m', 'larder.size', '64M'),
            self::small($local->get('apcu'), 'apcu-64m', 'apc.shm_size', '64M', ['apc.entries_hint' => '500000']),
        ];
    }

    /** @param array<string, string> $others that it is given besides its size */
    private static function small(
        Definition $store,
        string $id,
        string $setting,
        string $size,
        array $others = [],
    ): Definition {
        $ini = [$setting => $size, ...$others];
        $tuned = array_map(
            static fn(string $name, string $value): string => "{$name} = {$value}",
            array_keys($ini),
            $ini,
        );

        return new Definition(
            $id,
            \sprintf('%s, %s MB', $store->title, rtrim($size, 'M')),
            $store->class,
            $store->make,
            terms: [...$store->terms, 'tuned' => implode(', ', $tuned)],
            extensions: $store->extensions,
            shared: $store->shared,
            ini: [...$store->ini, ...$ini],
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
