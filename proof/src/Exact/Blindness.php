<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

/** What the program spoils, to see that the judge finds what comes of it. */
enum Blindness: string
{
    case None = '';
    /** The names of each read are lost. */
    case Reads = 'reads';
    /** What is written goes past Larder. */
    case Writes = 'writes';
}
