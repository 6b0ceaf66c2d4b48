<?php

declare(strict_types=1);

namespace Larder\Store;

/** The calls of a store that an Operation can be. */
enum OperationKind
{
    case Read;
    case GetOrLease;
    case Lease;
    case Set;
    case Add;
    case Cas;
    case Touch;
    case Delete;
    case Release;

    /** Whether it may change the value of its key. */
    public function writes(): bool
    {
        return match ($this) {
            self::Set, self::Add, self::Cas, self::Touch, self::Delete => true,
            self::Read, self::GetOrLease, self::Lease, self::Release => false,
        };
    }

    /** Whether it has a value. */
    public function stores(): bool
    {
        return $this === self::Set || $this === self::Add || $this === self::Cas;
    }
}
