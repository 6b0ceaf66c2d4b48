<?php

declare(strict_types=1);

namespace Larder;

/** How a write ended. Only Done changed something. */
enum Outcome
{
    /** It is done: the value is stored, the key is gone. */
    case Done;
    /** replace, append, cas, touch, increment, delete: the key was not there. */
    case NotFound;
    /**
     * add: the key is there. cas: the version has moved. set with a lease: the lease is lost. increment: the value
     * is not an integer. append: it is not a string.
     */
    case Exists;
    /**
     * Nothing changed: the value is too large, there is no room, a lock was not given in time, or the server cannot
     * be reached. Counted in info().
     */
    case Refused;
    /** Sent, but no answer came: it may have been done or not. Never given by SharedMemory. */
    case Unknown;
}
