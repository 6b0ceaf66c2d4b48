<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** What each process counts. */
enum ValueCount
{
    case Reads;
    /** Reads for which nothing was made. */
    case Hits;
    /** Reads in an old state of the database, which are not judged: what they made must not stay. */
    case OldReads;
    /** Changes whose COMMIT returned. */
    case Changes;
    /** Changes that were rolled back, since a gate was lost or the database was busy. */
    case RolledBack;
    case Kills;
    /** Items that were taken away, and stores that were cleared. */
    case Losses;
    /** The longest time for which an old value was seen, in nanoseconds. */
    case LongestLag;
    /** Reads of a value that was too old. */
    case Stale;
}
