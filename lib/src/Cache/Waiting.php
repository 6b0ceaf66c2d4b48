<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * The pauses between looks at what other processes make, until a bound.
 *
 * @internal
 */
final class Waiting
{
    /** Microseconds; the last one again and again. */
    private const PAUSES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

    /** Monotonic nanoseconds. */
    private readonly int $deadline;

    private int $pauses = 0;

    /** @param float $seconds from now on */
    public function __construct(float $seconds)
    {
        $this->deadline = hrtime(true) + (int) ($seconds * 1e9);
    }

    /** Waits a little. False: the time is over. */
    public function pause(): bool
    {
        $left = intdiv($this->deadline - hrtime(true), 1000);
        if ($left <= 0) {
            return false;
        }
        usleep(min($left, self::PAUSES[min($this->pauses++, \count(self::PAUSES) - 1)]));

        return true;
    }
}
