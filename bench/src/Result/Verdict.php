<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

enum Verdict: string
{
    case Faster = 'faster';
    case Slower = 'slower';

    /** The interval of the ratio holds 1, or lies within 1 +- 2 %. */
    case NoDifference = 'no difference';

    /** Fewer than six blocks that both have, or one of the two has no number. */
    case Unknown = 'unknown';
}
