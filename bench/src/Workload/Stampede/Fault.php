<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** What goes wrong while a value is made and read. */
enum Fault: string
{
    case None = 'none';

    /** The first process to make the value after each expiry is killed half-way. */
    case Killed = 'killed';

    /** The first compute after each expiry takes twice as long as its lease. */
    case Slow = 'slow';

    /** There was never a value. */
    case Cold = 'cold';

    /** The value is gone though nothing changed, while nobody makes it. */
    case Evicted = 'evicted';

    /** The data changes, and the value is deleted, while it is made from the old data. */
    case Deleted = 'deleted';

    /** Whether what becomes of the value depends on how long a lease is: it is then a short one. */
    public function isOfLeases(): bool
    {
        return $this === self::Killed || $this === self::Slow;
    }
}
