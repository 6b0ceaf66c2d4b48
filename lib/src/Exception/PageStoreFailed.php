<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;

/** A file of the page store could not be written, moved or removed. */
final class PageStoreFailed extends RuntimeException implements LarderException
{
    public static function during(string $step, string $path, string $reason): self
    {
        return new self(\sprintf('The page store failed to %s %s: %s', $step, $path, $reason));
    }
}
