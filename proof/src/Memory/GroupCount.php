<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

/** What is noted for a group of workers. */
enum GroupCount
{
    case Ready;
    case KillsFromOutside;
    /** Workers that died at a fault point. */
    case KillsAtFaultPoints;
    /** Workers that ended by themselves, as a request does. */
    case Ends;
    /** Bytes in use after the store was cleared and all workers were gone. */
    case BytesLeftAfterClear;
}
