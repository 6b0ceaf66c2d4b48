<?php

declare(strict_types=1);

namespace Larder\Cache;

/** What becomes of a caller whose `wait` is over before another process has made the value. */
enum AfterWait
{
    /**
     * It makes the value for itself, and does not store it. Where the host has a directory for leases of its own, one
     * process of the host does so, and the others take what it made.
     */
    case Compute;
    /** It gets a NotMadeInTime, because an error is better than one more of these computes. */
    case Fail;
}
