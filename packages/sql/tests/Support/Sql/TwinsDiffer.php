<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use RuntimeException;

/** Two connections that had to tell the same did not. */
final class TwinsDiffer extends RuntimeException
{
    /** @param string $trace what led to it, a command a line */
    public static function in(string $what, string $trace, mixed $plain, mixed $ours): self
    {
        return new self(\sprintf("%s differs behind\n%splain: %s\nours:  %s", $what, ...[
            $trace,
            self::shown($plain),
            self::shown($ours),
        ]));
    }

    /** Both as JSON, where that tells them apart. */
    private static function shown(mixed $answer): string
    {
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_UNICODE
            | JSON_UNESCAPED_SLASHES | JSON_PARTIAL_OUTPUT_ON_ERROR;

        return (string) json_encode($answer, $flags);
    }
}
