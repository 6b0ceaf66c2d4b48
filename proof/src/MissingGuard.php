<?php

declare(strict_types=1);

namespace Larder\Proof;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
{
    case None = '';
    /** Every process that asks for a lease gets one. Of rows: what was read is stored though its lease was lost. */
    case Lease = 'lease';
    /** A value is stored even if its lease is lost. */
    case Fence = 'fence';
    /** Leases outlast a run, as a lock without an end does. */
    case End = 'end';
    /** Gates are not closed: names get another version only after COMMIT. */
    case Close = 'close';
    /** The writer does not check its gates before COMMIT. */
    case Check = 'check';
    /** Versions are taken after the data was read. */
    case Order = 'order';
    /** Nobody sees that a reader is in an old state of the database. */
    case Snapshot = 'snapshot';
    /** Nobody asks a Redis whether its data is that of before. */
    case Identity = 'identity';
    /** Rows are stored by a plain read, whoever has them locked. */
    case Fill = 'fill';
    /** Rows end after COMMIT, not before it. */
    case Late = 'late';
    /** The follower ends rows before everybody sees what the log has. */
    case Barrier = 'barrier';
    /** Nobody sees for what a process that makes a value waits. */
    case Marks = 'marks';
    /** Rows are handed out whether the follower lives or not. */
    case Heartbeat = 'heartbeat';
}
