<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

/** What is noted of a seat: the one worker that sits on it, and all that sat there before. */
enum Note: int
{
    /** When its present call began, nanoseconds; 0: it is in none. */
    case Began = 0;
    case Calls = 1;
    /** Keys asked for. */
    case Keys = 2;
    case Hits = 3;
    case Writes = 4;
    case Done = 5;
    case Unknown = 6;
    case Refused = 7;
    /** The longest that a call went on after its deadline + 10 %, without the time that the system let it wait for a processor; nanoseconds. */
    case Late = 8;
    /** The process that sits there. */
    case Process = 9;
    /** Workers killed from outside. */
    case Kills = 10;
    /** Requests that ended at their memory limit or their time limit. */
    case Aborts = 11;
    /** php-fpm: requests. Elsewhere: workers. */
    case Lives = 12;
}
