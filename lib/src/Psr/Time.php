<?php

declare(strict_types=1);

namespace Larder\Psr;

use DateInterval;
use DateTimeInterface;
use Psr\Clock\ClockInterface;

/**
 * Turns what the standards call a TTL into Unix times and seconds.
 *
 * @internal
 */
final readonly class Time
{
    private const LONGEST = 946_080_000.0;

    public function __construct(private ClockInterface $clock) {}

    public function now(): float
    {
        return self::unix($this->clock->now());
    }

    /** The Unix time at which something ends that begins now. */
    public function after(int|DateInterval $ttl): float
    {
        return $this->now() + $this->seconds($ttl);
    }

    /** How long an interval is that begins now: a month has 28 to 31 days. */
    public function seconds(int|DateInterval $ttl): float
    {
        if (\is_int($ttl)) {
            return $ttl;
        }
        $now = $this->clock->now();

        return self::unix($now->add($ttl)) - self::unix($now);
    }

    /** 30 years is longer than any cache will run, so it is without end. */
    public static function limit(float $seconds): float
    {
        return $seconds < self::LONGEST ? $seconds : PHP_FLOAT_MAX;
    }

    public static function unix(DateTimeInterface $time): float
    {
        return (float) $time->format('U.u');
    }
}
