<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

final class InvalidSite extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The site is not described well: ' . rtrim($reason, '.') . '.');
    }
}
