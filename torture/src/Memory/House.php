<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What is noted of a nursery and of who runs all. */
enum House: int
{
    case Ready = 0;
    /** When to stop, nanoseconds; 0: not begun. */
    case End = 1;
    case Kills = 2;
    /** Workers that died at a fault point. */
    case Faults = 3;
    /** Workers that ended by themselves, as a request does. */
    case Ends = 4;
    /** The longest that a process saw which does nothing but look at the clock, nanoseconds. */
    case Idle = 5;
    /** What a clear() of the whole store left in use when nobody was there any more, bytes. */
    case Left = 6;
}
