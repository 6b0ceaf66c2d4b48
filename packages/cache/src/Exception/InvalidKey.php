<?php

declare(strict_types=1);

namespace Larder\Exception;

use ValueError;

/** A key that no cache takes. */
final class InvalidKey extends ValueError implements LarderException
{
    public static function empty(): self
    {
        return new self('A key must have at least one byte');
    }
}
