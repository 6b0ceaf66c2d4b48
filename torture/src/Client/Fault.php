<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

/** What a proxy does to what passes through it. */
enum Fault: int
{
    case Delay = 0;
    /** Goes byte by byte. */
    case Split = 1;
    /** Nothing passes any more. */
    case Hang = 2;
    /** A part passes, then comes a reset. */
    case Cut = 3;
    /** A part passes, then comes the end. */
    case Close = 4;
    /** A part passes, then comes the end, and what the client still sends is passed on. */
    case HalfClose = 5;
    case Repeat = 6;
    case Drop = 7;
    case Swap = 8;
    case Status = 9;
    case Length = 10;
    case Opaque = 11;
    /** Bytes in front of a reply. */
    case Garbage = 12;
    /** Bytes after the last reply, that nobody asked for. */
    case Surplus = 13;
    /** A reply that has passed before, in place of another. It has an opaque, or nobody could notice it. */
    case Stale = 14;
    case CutRequest = 15;
    case DelayRequest = 16;
    case HangRequest = 17;

    /** Whether it is one of bytes. There is one of these to a connection: two could make up something that is right by all signs. */
    public function spoils(): bool
    {
        return $this->value >= self::Repeat->value && $this->value <= self::Stale->value;
    }
}
