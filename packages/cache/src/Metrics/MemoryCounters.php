<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** @internal Counters of this process, for tests and for long-running workers. */
final class MemoryCounters implements Counters
{
    /** @var array<string, int|float> by series */
    private array $counts = [];

    public function add(string $name, int $by = 1, array $labels = []): void
    {
        $this->change([Series::of($name, $labels) => $by]);
    }

    public function observe(string $name, float $seconds, array $labels = []): void
    {
        $this->change(Series::observed($name, $seconds, $labels));
    }

    public function all(): array
    {
        return Series::whole($this->counts);
    }

    /** @param array<string, int|float> $amounts to add, by series */
    private function change(array $amounts): void
    {
        foreach ($amounts as $series => $by) {
            $this->counts[$series] = ($this->counts[$series] ?? 0) + $by;
        }
    }
}
