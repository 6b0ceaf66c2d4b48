<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

/** What each process counts. */
enum ValueCount
{
    /** Reads of a value that was too old. */
    case Stale;
    case Reads;
    /** Reads for which nothing was made. */
    case Hits;
    /** Reads of a value told to be made from a row only at the end of its compute, for which nothing was made. */
    case ToldLateHits;
    /** Reads in a transaction from before the changes of that moment: not judged, but what they made must not stay. */
    case OldTransactions;
    /** The same, and parts of computes, while a statement was not read to its end. */
    case OldCursors;
    /** Computes of 50 ms and more during which their row was changed. */
    case SlowComputes;
    /** Reads while the gate of their row was closed all the time. */
    case ReadsBesideClosedGates;
    /** Those of them that waited. */
    case WaitsBesideClosedGates;
    /** Values stored by set(). */
    case ValuesSet;
    /** Changes whose COMMIT returned. */
    case Changes;
    /** Changes that were rolled back, since a gate was lost or the database was busy. */
    case RolledBack;
    case Kills;
    /** Items that were taken away, and stores that were cleared. */
    case Losses;
}
