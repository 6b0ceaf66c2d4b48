<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** Callers never count below 0: clients and servers differ in what they make of it. */
interface Counting extends Subject
{
    public function setCounter(string $key, int $value): void;

    /** @return int after it */
    public function increment(string $key, int $by = 1): int;

    /** @return int after it */
    public function decrement(string $key, int $by = 1): int;
}
