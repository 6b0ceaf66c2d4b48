<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** A Site is not described well, or its controllers are not: the message says what. */
final class InvalidSite extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The site is not described well: ' . rtrim($reason, '.') . '.');
    }
}
