<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** Why a value had to be made. */
enum Cause: string
{
    /** There had never been one. */
    case Cold = 'cold_starts';
    case Expiry = 'expiries';
    case Eviction = 'evictions';
    /** Through the cache, of a value or of one that was being made. */
    case Delete = 'deletes';
    /** The process that made it was killed before it had stored it. */
    case Kill = 'kills';
    /** The process that made it took longer than its lease. */
    case Slow = 'outlived_leases';
    /** The store's server was restarted, empty. */
    case Restart = 'restarts';
    /** The server did not answer, and no other process of the host was making it. It is not stored. */
    case Outage = 'computes_without_server';
    /** On memcached, the old value ended while it was made anew, beyond its grace, and the lease ended with it. */
    case Gone = 'old_values_gone_meanwhile';
    /** The store refused it: the store is full, or a lock was not given in time. */
    case Refusal = 'refusals';
}
