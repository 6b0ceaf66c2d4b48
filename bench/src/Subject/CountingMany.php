<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** One call adds to many counters. */
interface CountingMany extends Counting
{
    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<string, int> by key, after it
     */
    public function incrementMany(array $keys, int $by = 1): array;
}
