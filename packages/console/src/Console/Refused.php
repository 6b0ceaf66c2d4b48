<?php

declare(strict_types=1);

namespace Larder\Console;

use RuntimeException;

/** @internal What was asked for is not possible; exit code 2. */
final class Refused extends RuntimeException
{
    public static function because(string $reason): self
    {
        return new self(rtrim($reason, '.') . '.');
    }
}
