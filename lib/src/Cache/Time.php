<?php

declare(strict_types=1);

namespace Larder\Cache;

use Psr\Clock\ClockInterface;

/**
 * The present time.
 *
 * @internal
 */
final readonly class Time
{
    /** @param ClockInterface|null $clock null: the system's, a little faster */
    public function __construct(private ?ClockInterface $clock) {}

    /** Unix time with microseconds. */
    public function now(): float
    {
        return $this->clock === null ? microtime(true) : (float) $this->clock->now()->format('U.u');
    }
}
