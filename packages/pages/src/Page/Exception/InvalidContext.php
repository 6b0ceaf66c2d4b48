<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** Contexts that cannot be declared, or a context that is none of the declared ones. */
final class InvalidContext extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('This is no context: ' . rtrim($reason, '.') . '.');
    }
}
