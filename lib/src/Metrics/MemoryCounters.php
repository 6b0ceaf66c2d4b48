<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counters of this process, for tests and for long-running workers. */
final class MemoryCounters implements Counters
{
    /** @var array<string, int> by name */
    private array $counts = [];

    public function add(string $name, int $by = 1): void
    {
        $this->counts[$name] = ($this->counts[$name] ?? 0) + $by;
    }

    public function all(): array
    {
        ksort($this->counts);

        return $this->counts;
    }
}
