<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** What an entry of the log says. */
enum EventKind: string
{
    /** A compute begins. */
    case Begun = 'begun';
    /** A compute ends, and its value is on its way to the store. */
    case Going = 'going';
    /** The store's answer to that. */
    case Answered = 'answered';
    /** A process is about to be killed. */
    case Killed = 'killed';
    /** A value whose process was killed while it stored it is in the store. */
    case Found = 'found';
    /** A key was deleted through the cache. */
    case Deleted = 'deleted';
    /** A key was taken out of the store. */
    case Evicted = 'evicted';
    /** The server of a store is back, which was killed and lost everything. */
    case Restarted = 'restarted';
    /** The store gave no answer to who makes a value now. */
    case Silent = 'silent';
    /** A reader got a value older than one that was stored before it asked. */
    case Lost = 'lost';
    /** A reader got a value that was deleted before it asked. */
    case Resurrected = 'resurrected';
    /** Anything else that must not happen. */
    case Wrong = 'wrong';
}
