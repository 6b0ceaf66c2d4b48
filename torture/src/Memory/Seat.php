<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What is noted of a seat: the one worker that sits on it, and all that sat there before. */
enum Seat: int
{
    /** When its present operation began, nanoseconds; the first one is to be born. */
    case Operation = 0;
    case Operations = 1;
    case Reads = 2;
    case Hits = 3;
    case Writes = 4;
    /** Writes that the store refused. */
    case Refused = 5;
    /** Values held for a while that were looked at again. */
    case Rechecks = 6;
    /** The longest that the workers of all seats got nothing done, as its own ones saw it, nanoseconds. */
    case Gap = 7;
    /** Its longest operation, nanoseconds. */
    case Slowest = 8;
    /** Processes that it forked while it held values. */
    case Forks = 9;
}
