<?php

declare(strict_types=1);

namespace Larder\Metrics;

/** Counts events. It never fails: a count that cannot be kept is lost. */
interface Counters
{
    /** @param non-empty-string $name `words_with_underscores_total` */
    public function add(string $name, int $by = 1): void;

    /** @return array<string, int> by name, sorted */
    public function all(): array;
}
