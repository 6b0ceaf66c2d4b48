<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Testbed\Net\Delay;

/** What a proxy does to what passes through it. */
enum Fault
{
    case Delay;
    /** The reply goes byte by byte. */
    case Split;
    /** Nothing passes any more. */
    case Hang;
    /** A part of the reply passes, then comes a reset. */
    case Cut;
    /** A part of the reply passes, then comes the end. */
    case Close;
    /** A part of the reply passes, then comes the end, and requests are still passed on. */
    case HalfClose;
    case Repeat;
    case Drop;
    case Swap;
    case Status;
    case Length;
    case Opaque;
    /** Bytes in front of a reply. */
    case Garbage;
    /** Bytes after the last reply, for which nobody asked. */
    case Surplus;
    /** An earlier reply in place of another. It has an opaque, or nobody could notice it. */
    case Stale;
    case CutRequest;
    case DelayRequest;
    case HangRequest;

    /**
     * Whether it changes bytes. A connection has one such fault at most: two could add up to a reply that looks right.
     */
    public function spoils(): bool
    {
        return match ($this) {
            self::Repeat, self::Drop, self::Swap, self::Status, self::Length => true,
            self::Opaque, self::Garbage, self::Surplus, self::Stale => true,
            default => false,
        };
    }
}
