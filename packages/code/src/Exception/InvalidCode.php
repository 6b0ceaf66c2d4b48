<?php

declare(strict_types=1);

namespace Larder\Code\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** A directory that can be no release, or a name, key or path that is not written as it should be. */
final class InvalidCode extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self($reason);
    }

    public static function name(string $name): self
    {
        return new self(\sprintf(
            '"%s" is no name of an application: it is 1 to 40 letters, digits, dashes and underscores',
            $name,
        ));
    }

    public static function release(string $id): self
    {
        return new self(\sprintf(
            '"%s" is not a release: it is up to 64 letters, digits, - and ., and begins with a letter or a digit',
            $id,
        ));
    }
}
