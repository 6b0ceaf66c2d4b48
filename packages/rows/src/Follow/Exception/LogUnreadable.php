<?php

declare(strict_types=1);

namespace Larder\Follow\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/** @internal The database's log cannot be followed, or not from where the follower was. */
final class LogUnreadable extends RuntimeException implements LarderException
{
    private function __construct(string $message, public readonly bool $isPositionLost = false)
    {
        parent::__construct($message);
    }

    public static function because(string $why): self
    {
        return new self("The database's log cannot be read: $why");
    }

    /** Everything must end once, since nobody knows what has changed meanwhile. */
    public static function positionLost(string $why): self
    {
        return new self("The place in the database's log is lost: $why", true);
    }
}
