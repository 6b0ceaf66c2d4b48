<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** What each process counts. */
enum Count: int
{
    case Reads = 0;
    /** Reads for which nothing was made. */
    case Hits = 1;
    /** Changes whose COMMIT returned. */
    case Changes = 2;
    /** Changes that were rolled back, since a gate was lost or the database was busy. */
    case Failed = 3;
    case Kills = 4;
    /** Items that were taken away, stores that were cleared. */
    case Losses = 5;
    /** The longest time that an old value was seen for, nanoseconds. */
    case Longest = 6;
    /** Reads of what was too old. */
    case Stale = 7;
}
