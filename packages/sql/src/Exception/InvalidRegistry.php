<?php

declare(strict_types=1);

namespace Larder\Sql\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** Tables, keys or column sets of a Registry that contradict each other or the database. */
final class InvalidRegistry extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The registry is not declared well: ' . $reason . '.');
    }
}
