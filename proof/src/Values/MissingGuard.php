<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

/** A guard that is taken away, to see that the program finds what it prevents. */
enum MissingGuard: string
{
    case None = '';
    /** Gates are not closed: names get another version only after COMMIT. */
    case Close = 'close';
    /** The writer does not check its gates before COMMIT. */
    case Check = 'check';
    /** Versions are taken after the data was read. */
    case Order = 'order';
    /** Nobody sees that a reader is in an old state of the database. */
    case Snapshot = 'snapshot';
}
