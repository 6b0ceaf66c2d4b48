<?php

declare(strict_types=1);

namespace Larder\Console;

use RuntimeException;
use Throwable;

/** What was asked for cannot be answered; exit code 2. */
final class Refused extends RuntimeException
{
    public static function because(string $reason, ?Throwable $cause = null): self
    {
        return new self($reason . '.', 0, $cause);
    }
}
