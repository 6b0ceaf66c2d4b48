<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** Why a value had to be made. */
enum Cause: string
{
    /** There had never been one. */
    case Cold = 'cold_starts';
    case Expiry = 'expiries';
    case Eviction = 'evictions';
    /** Through the cache, of a value or of one that was being made. */
    case Delete = 'deletes';
    /** Whoever made it was killed between win and store. */
    case Kill = 'kills';
    /** Whoever made it took longer than its lease. */
    case Slow = 'outlived_leases';
    /** On memcached: the old value ran out while it was made anew, beyond its grace, and took the lease along. */
    case Gone = 'old_values_gone_meanwhile';
    /** The store was asked to keep it, and said no: it is full, or a lock was not given in time. */
    case Refusal = 'refusals';
}
