<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Exception\InvalidKey;

/**
 * How a key is named in the store. Names that begin with a NUL are Larder's own:
 *
 *     news list      the key as it is
 *     \0k<sha-256>   a key that is too long for a store or begins with a NUL
 *     \0v…           what belongs to the versions of data (Dependency\Gates)
 *
 * @internal
 */
final readonly class Item
{
    /** A store takes 1,024 bytes; the rest is for those that put something in front. */
    private const LONGEST = 1000;

    /** @throws InvalidKey */
    public static function of(string $key): string
    {
        if ($key === '') {
            throw InvalidKey::empty();
        }

        return \strlen($key) > self::LONGEST || $key[0] === "\0" ? "\0k" . hash('sha256', $key) : $key;
    }
}
