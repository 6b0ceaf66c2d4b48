<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\SharedMemory;

/**
 * What the shared memory of this process holds, for the metrics.
 *
 * @internal
 */
final readonly class MemoryGauges
{
    /** @return array<string, int> by series; empty: this process has none */
    public static function now(): array
    {
        $info = class_exists(SharedMemory::class, false) ? (new SharedMemory())->info() : [];
        $series = [];
        foreach ([
            'larder_memory_bytes{kind="used"}' => 'bytesUsed',
            'larder_memory_bytes{kind="limbo"}' => 'bytesLimbo',
            'larder_memory_bytes{kind="total"}' => 'bytesTotal',
            'larder_memory_entries' => 'entries',
            'larder_memory_evictions_total' => 'evictions',
            'larder_memory_refused_total{cause="large"}' => 'refusedLarge',
            'larder_memory_refused_total{cause="full"}' => 'refusedFull',
        ] as $name => $key) {
            if (\is_int($info[$key] ?? null)) {
                $series[$name] = $info[$key];
            }
        }

        return $series;
    }
}
