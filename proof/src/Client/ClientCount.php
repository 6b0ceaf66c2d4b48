<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

/** What is noted for a worker's number: by the present worker and by all before it. */
enum ClientCount
{
    /** When the present call began, in nanoseconds; 0: there is none. */
    case CallBegan;
    case Requests;
    /** Keys that were asked for. */
    case KeysRead;
    case Hits;
    case Writes;
    case Done;
    case Unknown;
    case Refused;
    /** Nanoseconds of the longest call after its deadline + 10 %, without the time in which it had no processor. */
    case Late;
    case ProcessId;
    /** Workers killed from outside. */
    case Kills;
    /** Requests that ended at their memory limit or their time limit. */
    case PagesAborted;
    /** php-fpm: requests. Elsewhere: workers. */
    case Lives;
}
