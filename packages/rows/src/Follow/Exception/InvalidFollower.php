<?php

declare(strict_types=1);

namespace Larder\Follow\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** @internal */
final class InvalidFollower extends InvalidArgumentException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self('The follower is not described well: ' . rtrim($reason, '.') . '.');
    }
}
