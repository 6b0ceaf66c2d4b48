<?php

declare(strict_types=1);

namespace Larder\Edge\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** A cache in front of the web servers is not described well. */
final class InvalidEdge extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The edge is not described well: ' . rtrim($reason, '.') . '.');
    }
}
