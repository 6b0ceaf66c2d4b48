<?php

declare(strict_types=1);

namespace Larder\Cache;

use ValueError;

/**
 * What a number of seconds may be; else a ValueError that says why.
 *
 * @internal
 */
final readonly class Seconds
{
    /** A store gives no lease for longer than a day. */
    private const LONGEST_LEASE = 86_400.0;

    /** What lies between is a Unix time from 2001 to 2286, given where seconds from now on belong. */
    private const FIRST_UNIX_TIME = 1e9;
    private const LAST_UNIX_TIME = 1e10;

    /** @return float|null without end for null and for what is longer than anybody will wait */
    public static function ttl(?float $ttl): ?float
    {
        if ($ttl === null) {
            return null;
        }
        self::check('ttl', $ttl, -PHP_FLOAT_MAX);
        if ($ttl >= self::FIRST_UNIX_TIME && $ttl < self::LAST_UNIX_TIME) {
            throw new ValueError(\sprintf('$ttl is in seconds from now on; %.0f looks like a Unix time: take the present time from it', $ttl));
        }

        return $ttl < self::LAST_UNIX_TIME ? $ttl : null;
    }

    /** A grace, a wait, a factor. */
    public static function span(string $name, ?float $seconds): ?float
    {
        return $seconds === null ? null : self::check($name, $seconds, 0.0);
    }

    public static function lease(string $name, ?float $seconds): ?float
    {
        if ($seconds !== null && !($seconds > 0.0 && $seconds <= self::LONGEST_LEASE)) {
            throw new ValueError(\sprintf('$%s must be more than 0 seconds and at most %.0f', $name, self::LONGEST_LEASE));
        }

        return $seconds;
    }

    private static function check(string $name, float $seconds, float $least): float
    {
        if (!is_finite($seconds)) {
            throw new ValueError(\sprintf('$%s must be a finite number of seconds', $name));
        }

        return $seconds >= $least ? $seconds : throw new ValueError(\sprintf('$%s must not be negative', $name));
    }
}
