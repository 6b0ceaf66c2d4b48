<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
{
    case None = '';
    /** Every process that asks for a lease gets one. */
    case Lease = 'lease';
    /** A value is stored even if its lease is lost. */
    case Fence = 'fence';
}
