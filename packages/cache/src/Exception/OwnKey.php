<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** A compute asks for the value that it is making. */
final class OwnKey extends LogicException implements LarderException
{
    /** @param list<string> $making keys from the outermost compute on */
    public static function asked(string $key, array $making): self
    {
        return new self(
            \sprintf(
                'The compute of "%s" asks for "%s" itself (being made: %s): it would wait for itself',
                $key,
                $key,
                implode(' > ', $making),
            ),
        );
    }
}
