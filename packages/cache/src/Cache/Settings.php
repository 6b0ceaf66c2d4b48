<?php

declare(strict_types=1);

namespace Larder\Cache;

use DateInterval;
use DateTimeImmutable;
use ValueError;

/** What holds for all values of a cache unless a call says otherwise. Seconds throughout. */
final readonly class Settings
{
    /** A grace that is not given is as long as the ttl, but no longer than this. */
    public const LONGEST_GRACE = 600.0;

    /** A lease that is not given is this many times as long as the last compute, within these bounds. */
    public const LEASE_TIMES = 10.0;
    public const SHORTEST_LEASE = 5.0;
    public const LONGEST_LEASE = 300.0;

    /** A store gives no lease for longer than a day. */
    private const LEASE_LIMIT = 86_400.0;

    /** What lies between is a Unix time from 2001 to 2286, given by mistake instead of seconds from now on. */
    private const FIRST_UNIX_TIME = 1e9;
    private const LAST_UNIX_TIME = 1e10;

    /** How long a value is fresh. */
    public ?float $ttl;

    /**
     * @param int|float|DateInterval|null $ttl how long a value is fresh; null: until it is changed or deleted
     * @param float|null $grace how long after that the old one is handed out while one process makes it anew; null: as
     *     long as the ttl, 600 at most
     * @param float|null $lease how long a process may take to make a value before another one may begin; null: ten
     *     times what the last compute took, 5 at least, and $unmeasured where none was measured
     * @param float      $unmeasured see $lease
     * @param float|null $wait how long a caller waits for a value that another process makes, where there is no old
     *     one; 0: not at all; null: as long as a process makes it, which its lease bounds; then one of those that wait
     *     makes it. After two leases one process of each host makes it for all of them, after three each does
     * @param float $early how eagerly a value is made anew before its ttl ends, so that no request notices the end: 1
     *     is the optimum for computes of even length, more is earlier, 0 is never (Vattani, Chierichetti, Lowenstein:
     *     Optimal Probabilistic Cache Stampede Prevention, VLDB 2015)
     * @param Refresh|null $refresh when a value is made anew that can still be handed out; null: after the response
     *     under php-fpm, else inline
     *
     * @throws ValueError
     */
    public function __construct(
        int|float|DateInterval|null $ttl = null,
        public ?float $grace = null,
        public ?float $lease = null,
        public float $unmeasured = 30.0,
        public ?float $wait = null,
        public AfterWait $afterWait = AfterWait::Compute,
        public float $early = 1.0,
        public ?Refresh $refresh = null,
    ) {
        $this->ttl = $ttl instanceof DateInterval ? self::seconds($ttl, new DateTimeImmutable()) : $ttl;
        self::checkedTtl($this->ttl);
        self::checkedSpan('grace', $grace);
        self::checkedLease('lease', $lease);
        self::checkedLease('unmeasured', $unmeasured);
        self::checkedSpan('wait', $wait);
        self::checkedSpan('early', $early);
    }

    /** Whether a value that can still be handed out is made anew after the response. */
    public function defersRefreshes(): bool
    {
        return ($this->refresh ?? (PHP_SAPI === 'fpm-fcgi' ? Refresh::AfterResponse : Refresh::Inline))
            === Refresh::AfterResponse;
    }

    /** How long after its ttl a value is kept. */
    public function graceOf(?float $ttl, ?float $grace): float
    {
        return $grace ?? $this->grace ?? min($ttl ?? 0.0, self::LONGEST_GRACE);
    }

    /** @param float|null $cost what the last compute took; null: not known */
    public function leaseOf(?float $cost, ?float $lease): float
    {
        $lease ??= $this->lease;
        if ($lease !== null || $cost === null) {
            return $lease ?? $this->unmeasured;
        }

        return min(max($cost * self::LEASE_TIMES, self::SHORTEST_LEASE), self::LONGEST_LEASE);
    }

    /**
     * @internal
     *
     * @return float|null null, without end, also for what is longer than anybody will wait
     *
     * @throws ValueError
     */
    public static function checkedTtl(?float $ttl): ?float
    {
        if ($ttl === null) {
            return null;
        }
        self::check('ttl', $ttl, -PHP_FLOAT_MAX);
        if ($ttl >= self::FIRST_UNIX_TIME && $ttl < self::LAST_UNIX_TIME) {
            throw new ValueError(\sprintf(
                '$ttl is in seconds from now on; %.0f looks like a Unix time: subtract the present time from it',
                $ttl,
            ));
        }

        return $ttl < self::LAST_UNIX_TIME ? $ttl : null;
    }

    /**
     * How long an interval is that begins now: a month has 28 to 31 days.
     *
     * @internal
     */
    public static function seconds(DateInterval $interval, DateTimeImmutable $now): float
    {
        $seconds = (float) $now->add($interval)->format('U.u') - (float) $now->format('U.u');

        // So many years are no mistake here.
        return $seconds < self::FIRST_UNIX_TIME ? $seconds : PHP_FLOAT_MAX;
    }

    /**
     * A grace, a wait, a factor.
     *
     * @internal
     *
     * @throws ValueError
     */
    public static function checkedSpan(string $name, ?float $seconds): ?float
    {
        return $seconds === null ? null : self::check($name, $seconds, 0.0);
    }

    /**
     * @internal
     *
     * @throws ValueError
     */
    public static function checkedLease(string $name, ?float $seconds): ?float
    {
        if ($seconds !== null && !($seconds > 0.0 && $seconds <= self::LEASE_LIMIT)) {
            throw new ValueError(
                \sprintf('$%s must be more than 0 seconds and at most %.0f', $name, self::LEASE_LIMIT),
            );
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
