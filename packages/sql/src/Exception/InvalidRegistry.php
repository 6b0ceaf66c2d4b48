<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

final class InvalidRegistry extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The registry is not declared well: ' . $reason . '.');
    }
}
