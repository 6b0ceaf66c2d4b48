<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;
use Throwable;

/** A change could not be made known to the readers, so its transaction was rolled back. */
final class ChangeFailed extends RuntimeException implements LarderException
{
    public static function because(string $reason, ?Throwable $previous = null): self
    {
        return new self('The change was rolled back: ' . $reason, 0, $previous);
    }
}
