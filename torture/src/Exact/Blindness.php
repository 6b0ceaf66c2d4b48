<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

/** What the program spoils, to see that the judge finds what comes of it. */
enum Blindness: string
{
    case None = '';
    /** Each statement is said to read rows that nobody changes. */
    case Reads = 'reads';
    /** Each writer is trusted, and says that it changed such rows. */
    case Writes = 'writes';

    /** A key that no row has. */
    public const ABSENT = 987654;
}
