<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use RuntimeException;

/** The subject said no, or nothing: the message names the call, the key and the client's own words. */
final class SubjectFailed extends RuntimeException
{
    public static function during(string $call, string $key, string $words): self
    {
        return new self(\sprintf('%s(%s): %s', $call, $key, $words));
    }

    public static function connecting(string $to, string $words): self
    {
        return new self(\sprintf('connecting to %s: %s', $to, $words));
    }
}
