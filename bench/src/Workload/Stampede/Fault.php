<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** What goes wrong while a value is made and read. */
enum Fault: string
{
    case None = 'none';

    /** After each expiry the first process that makes the value is killed half-way. */
    case Killed = 'killed';

    /** After each expiry the first compute takes twice as long as its lease. */
    case Slow = 'slow';

    /** The readers begin without a value. */
    case Cold = 'cold';

    /** The value is lost although nothing changed, while no process makes it. */
    case Evicted = 'evicted';

    /** The data changes and the value is deleted while a process makes it from the old data. */
    case Deleted = 'deleted';

    /** True if the length of the lease decides what happens. These faults get a short one. */
    public function dependsOnLease(): bool
    {
        return $this === self::Killed || $this === self::Slow;
    }
}
