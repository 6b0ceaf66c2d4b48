<?php

declare(strict_types=1);

namespace Larder\Cache;

/** What becomes of a caller that waited in vain for another process to make a value. */
enum AfterWait
{
    /** It makes the value for itself, and does not store it. */
    case Compute;
    /** It gets a NotMadeInTime, because an error is better than one more of these computes. */
    case Fail;
}
