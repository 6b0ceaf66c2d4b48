<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** How an application without a cache library keeps its processes from all making the same value. */
enum Protection: string
{
    /** It does not: a process that misses makes the value and stores it. Most sites do this. */
    case None = 'none';

    /**
     * The wrapper of 2013 as its class was published. A process that finds a value in its last part stores it again for
     * the length of that part, so that others take it for fresh, and makes a new one. Get and set are two calls, and
     * several processes may come between them.
     */
    case SoftExpiry = 'soft';

    /** The process that adds a lock makes the value; all others look again every 10 ms until there is one. */
    case Lock = 'lock';

    public function title(): string
    {
        return match ($this) {
            self::None => 'no protection',
            self::SoftExpiry => 'soft expiry',
            self::Lock => 'a lock to wait for',
        };
    }

    /** One line for the table of terms in the report. */
    public function terms(): string
    {
        return match ($this) {
            self::None => 'none: get, and after a miss compute and set',
            self::SoftExpiry => 'an earlier end inside the value; the first process after it stores the old value again'
                . ' and computes',
            self::Lock => 'a lock that one process can add; the others look every 10 ms',
        };
    }
}
