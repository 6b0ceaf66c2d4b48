<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** How far the run is. */
enum Phase: int
{
    case Rough = 0;
    /** No value is ended any more. Those that have ended are made once more, and stay. */
    case Calm = 1;
    case Over = 2;
}
