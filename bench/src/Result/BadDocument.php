<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use RuntimeException;

/**
 * A result file that is none, or one of another version. The message names the place in it: `charts[2].cells[0].state`.
 */
final class BadDocument extends RuntimeException
{
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
