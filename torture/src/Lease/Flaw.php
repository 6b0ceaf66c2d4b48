<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** A guard that can be taken away, to see that the torture finds it. */
enum Flaw: string
{
    case None = '';
    /** Whoever asks for a lease gets one. */
    case Lease = 'lease';
    /** A value is stored whether its lease is still held or not. */
    case Fence = 'fence';
}
