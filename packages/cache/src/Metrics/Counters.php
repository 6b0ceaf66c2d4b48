<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counts events and times. It never fails: a count that cannot be kept is lost. */
interface Counters
{
    /**
     * @param non-empty-string                $name   `words_with_underscores_total`
     * @param array<non-empty-string, string> $labels by name; few values each: each set of them is a number of its own
     */
    public function add(string $name, int $by = 1, array $labels = []): void;

    /**
     * Counts how long something took.
     *
     * @param non-empty-string                $name   `words_with_underscores_seconds`
     * @param array<non-empty-string, string> $labels
     */
    public function observe(string $name, float $seconds, array $labels = []): void;

    /**
     * @return array<string, int|float> by series, sorted: `name{label="value"}`. What was observed has the series of
     *     a histogram: `name_bucket{le="0.1"}`, `name_count`, `name_sum`
     */
    public function all(): array;
}
