<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** A guard that is taken away, to see that it is missed. */
enum Broken: string
{
    case Nothing = '';
    /** Gates are not closed: names get another version after COMMIT only. */
    case Close = 'close';
    /** The writer does not look at its gates before COMMIT. */
    case Check = 'check';
    /** Versions are taken after the data was read. */
    case Order = 'order';
}
