<?php

declare(strict_types=1);

namespace Larder\Psr;

use DateInterval;
use DateTimeInterface;
use Larder\Cache\Settings;
use Psr\Clock\ClockInterface;
use ValueError;

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

    /**
     * The Unix time at which something ends that begins now.
     *
     * @throws InvalidArgument
     */
    public function after(int|DateInterval $ttl): float
    {
        return $this->now() + $this->seconds($ttl);
    }

    /**
     * How long an interval is that begins now: a month has 28 to 31 days.
     *
     * @throws InvalidArgument if it looks like a Unix time
     */
    public function seconds(int|float|DateInterval $ttl): float
    {
        if ($ttl instanceof DateInterval) {
            return Settings::seconds($ttl, $this->clock->now());
        }
        try {
            Settings::checkedTtl($ttl);
        } catch (ValueError $reason) {
            throw InvalidArgument::ttl($reason);
        }

        return $ttl;
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
