<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;
use Throwable;

/** The source of the servers cannot be asked, or named none, and no earlier list is known. */
final class NoServersFound extends RuntimeException implements LarderException
{
    public static function because(string $reason, ?Throwable $previous = null): self
    {
        return new self($reason, previous: $previous);
    }
}
