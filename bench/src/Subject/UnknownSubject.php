<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use InvalidArgumentException;

/** Nobody of that name is in the catalogue; the message lists who is. */
final class UnknownSubject extends InvalidArgumentException
{
    /** @param list<string> $known */
    public static function named(string $id, array $known, string $why = ''): self
    {
        return new self(\sprintf(
            'Unknown subject "%s"%s. Known: %s; with "@2" behind it, one of memcached or Redis uses two servers, and "#2" is the same again under another name.',
            $id,
            $why === '' ? '' : ': ' . $why,
            implode(' ', $known),
        ));
    }
}
