<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

/** What each client of a soak counts. */
enum SoakCount
{
    case Requests;
    case Reads;
    case Hits;
    case Writes;
    /** Writes that the store refused. */
    case Refused;
}
