<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Objects;

/** The subjects of the measurements of memory: stores that are small, and values of one kind. */
final readonly class MemorySubjects
{
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
