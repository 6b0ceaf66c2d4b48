<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/** The file with the secrets of contexts cannot be read or written, so no context can be signed. */
final class ContextsUnavailable extends RuntimeException implements LarderException
{
    public static function missing(string $file): self
    {
        return new self(
            "There are no secrets of contexts in $file, or this user may not read it. Make them by `larder "
                . "contexts:secret --group=GROUP` as root, with the group of php-fpm's user.",
        );
    }

    public static function malformed(string $file): self
    {
        return new self(
            "$file has something else than the secrets of contexts. Remove it and run `larder contexts:secret`.",
        );
    }

    public static function during(string $step, string $file, string $reason): self
    {
        return new self(
            "The secrets of contexts in $file cannot be $step: $reason. Run the command as root, or as who owns the "
                . 'directory.',
        );
    }
}
