<?php

declare(strict_types=1);

namespace Larder\Cache;

/** How far the life of a value has come. */
enum State
{
    /** Handed out to everybody. */
    case Fresh;
    /** Fresh, and so near to its end that a caller may make it anew. */
    case Early;
    /** No longer fresh: one caller makes it anew, all others get it. */
    case Grace;
    /** Not there, or made from data that has changed since. */
    case Missing;
}
