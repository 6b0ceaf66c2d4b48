<?php

declare(strict_types=1);

namespace Larder\Cache;

use ValueError;

/** What holds for all values of a cache unless a call says otherwise. Seconds throughout. */
final readonly class Settings
{
    /** Of a grace that is not given: as long as the ttl, but no longer than this. */
    public const LONGEST_GRACE = 600.0;

    /** Of a lease that is not given: this many times what the last compute took, within these bounds. */
    public const LEASE_TIMES = 10.0;
    public const SHORTEST_LEASE = 5.0;
    public const LONGEST_LEASE = 300.0;

    /**
     * @param float|null $ttl   for how long a value is fresh; null: until it is changed or deleted
     * @param float|null $grace how long after that the old one is handed out while one process makes it anew; null: as long as the ttl,
     *                          600 at most
     * @param float|null $lease how long a process may take to make a value before another one may begin; null: ten times what the last
     *                          compute took, 5 at least, and $unmeasured where none was measured
     * @param float      $unmeasured see $lease
     * @param float      $wait  how long a caller waits for a value that another process makes, where there is no old one
     * @param float      $early how eagerly a value is made anew before its ttl ends, so that its end is no event: 1 is the optimum for
     *                          computes of even length, more is earlier, 0 is never (Vattani, Chierichetti, Lowenstein: Optimal
     *                          Probabilistic Cache Stampede Prevention, VLDB 2015)
     *
     * @throws ValueError
     */
    public function __construct(
        public ?float $ttl = null,
        public ?float $grace = null,
        public ?float $lease = null,
        public float $unmeasured = 30.0,
        public float $wait = 5.0,
        public AfterWait $afterWait = AfterWait::Compute,
        public float $early = 1.0,
    ) {
        Seconds::ttl($ttl);
        Seconds::span('grace', $grace);
        Seconds::lease('lease', $lease);
        Seconds::lease('unmeasured', $unmeasured);
        Seconds::span('wait', $wait);
        Seconds::span('early', $early);
    }

    /** How long after its ttl a value is kept. */
    public function graceOf(?float $ttl, ?float $grace): float
    {
        return $grace ?? $this->grace ?? min($ttl ?? 0.0, self::LONGEST_GRACE);
    }

    /** @param float|null $cost what the last compute took; null: not known */
    public function leaseOf(?float $cost, ?float $lease): float
    {
        return $lease ?? $this->lease ?? ($cost === null ? $this->unmeasured : min(max($cost * self::LEASE_TIMES, self::SHORTEST_LEASE), self::LONGEST_LEASE));
    }
}
