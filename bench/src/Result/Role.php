<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

enum Role: string
{
    case Contender = 'contender';

    /** Does nothing, or the least that PHP can do: what the others cost on top of it is their own. Its answers are not checked. */
    case Floor = 'floor';

    /** The most that the machine gives for this test, by means that need not be a cache. */
    case Ceiling = 'ceiling';

    /** A second name of a contender: both must come out equal (the A/A check). */
    case Twin = 'twin';
}
