<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Catalogue;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Repeating;

/**
 * Lines of the Catalogue: shared memory in share mode with values of one kind, by its name (`value-int`, `value-rows`),
 * and stores that are too small for what is put into them.
 */
final readonly class MemorySubjects
{
    /** @return list<Definition> */
    public static function rows(): array
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
        return array_map(static fn(Value $value): Definition => new Definition(
            'value-' . $value->value,
            \sprintf('%s: %s', $store->title, $value->title()),
            OneValue::class,
            static function () use ($store, $value): OneValue {
                $memory = ($store->make)();
                \assert($memory instanceof Repeating);

                return new OneValue($memory, $value);
            },
            terms: $store->terms,
            extensions: $store->extensions,
            shared: $store->shared,
            ini: $store->ini,
        ), Value::cases());
    }
}
