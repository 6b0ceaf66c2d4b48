<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Writes in loops with nothing else in them, for the same reason as Objects::getRepeatedly(). */
interface RepeatedWrites extends Subject
{
    /** @param non-empty-list<string> $keys in this order; one may be there several times */
    public function setEach(array $keys, mixed $value): void;

    /**
     * @param string $key   of a counter that is there
     * @param int    $times at least 1
     *
     * @return int after the last
     */
    public function incrementRepeatedly(string $key, int $times): int;

    /** How many entries the store has now, or about so many: it takes no longer when they are many. */
    public function entries(): int;
}
