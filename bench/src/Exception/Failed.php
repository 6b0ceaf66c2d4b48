<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use RuntimeException;

/**
 * Something that a figure needs did not work, in the bench or in the subject. It fails the cell; the message says what.
 */
final class Failed extends RuntimeException
{
    /** The subject refused a call, or did not answer. */
    public static function during(string $call, string $key, string $words): self
    {
        return new self(\sprintf('%s(%s): %s', $call, $key, $words));
    }

    public static function connecting(string $to, string $words): self
    {
        return new self(\sprintf('connecting to %s: %s', $to, $words));
    }
}
