<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** What of two cells is compared. */
enum Measure: string
{
    /** Operations per second of all workers together: more is better. */
    case Rate = 'rate';

    /** Microseconds of CPU of client and server per operation: less is better. */
    case Cpu = 'cpu';
}
