<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/**
 * @internal Lets something happen at most so often a second. What was late is not made up for, so there are no bursts.
 */
final class Pace
{
    private ?float $last = null;

    /** @param float $rate a second, above 0 */
    public function __construct(private readonly float $rate) {}

    /** @return float seconds until the next may begin; 0: now */
    public function left(float $now): float
    {
        return $this->last === null ? 0.0 : max(0.0, $this->last + 1 / $this->rate - $now);
    }

    /** Tells that one has begun. */
    public function took(float $now): void
    {
        $this->last = $now;
    }
}
