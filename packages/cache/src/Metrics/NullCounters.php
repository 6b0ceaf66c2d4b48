<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counts nothing. */
final readonly class NullCounters implements Counters
{
    public function add(string $name, int $by = 1, array $labels = []): void {}

    public function observe(string $name, float $seconds, array $labels = []): void {}

    public function all(): array
    {
        return [];
    }
}
