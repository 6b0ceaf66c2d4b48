<?php

declare(strict_types=1);

namespace Larder\Code\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/** A release could not be read, laid down or switched to on this host. What runs stays as it is. */
final class CodeFailed extends RuntimeException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self($reason);
    }

    /** @param string $step such as "write" */
    public static function during(string $step, string $path): self
    {
        $message = error_get_last()['message'] ?? 'unknown reason';
        $isFound = preg_match('~(?:errno=\d+ |: (?!.*errno=))([^:/]+)$~Ds', $message, $found) === 1;

        return new self(\sprintf('Cannot %s %s: %s', $step, $path, $isFound ? $found[1] : $message));
    }
}
