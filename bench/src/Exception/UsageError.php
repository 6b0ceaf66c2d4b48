<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use InvalidArgumentException;

/** What was asked for cannot be done; the message says what can. */
final class UsageError extends InvalidArgumentException
{
    /** A place in a result file: `charts[2].cells[0].state`. */
    public static function at(string $place, string $allowed): self
    {
        return new self(
            \sprintf('Not a result of larder-bench: %s must be %s.', $place === '' ? 'the document' : $place, $allowed),
        );
    }

    public static function unreadable(string $file): self
    {
        return new self(\sprintf('Cannot read %s.', $file));
    }

    public static function unwritable(string $file): self
    {
        return new self(\sprintf('Cannot write %s.', $file));
    }
}
