<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
{
    case None = '';
    /** Rows are stored by a plain read, whoever has them locked. */
    case Fill = 'fill';
    /** What was read is stored whether its lease was lost or not. */
    case Lease = 'lease';
    /** Rows end after COMMIT, not before it. */
    case Late = 'late';
    /** The follower ends rows before everybody sees what the log has. */
    case Barrier = 'barrier';
    /** Rows are handed out whether the follower lives or not. */
    case Heartbeat = 'heartbeat';
}
