<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** How far the run is. */
enum Stage: int
{
    case Rough = 0;
    /** Nothing is ended any more: what has ended is made once more, and stays. */
    case Calm = 1;
    case Over = 2;
}
