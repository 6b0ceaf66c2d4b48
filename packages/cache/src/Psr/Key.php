<?php

declare(strict_types=1);

namespace Larder\Psr;

/**
 * Checks keys: both standards want at least one character and none of the reserved ones. Any length and any other bytes
 * are allowed, which is more than they ask.
 *
 * @internal
 */
final readonly class Key
{
    public const RESERVED = '{}()/\@:';

    /** @throws InvalidArgument */
    public static function of(mixed $key, string $what = 'key'): string
    {
        if (!\is_string($key)) {
            throw InvalidArgument::noString($what, $key);
        }
        if ($key === '') {
            throw InvalidArgument::empty($what);
        }
        if (strpbrk($key, self::RESERVED) !== false) {
            throw InvalidArgument::reserved($what, $key, self::RESERVED);
        }

        return $key;
    }

    /**
     * All of them, before anything is done with one.
     *
     * @param iterable<mixed> $keys
     *
     * @return list<string>
     *
     * @throws InvalidArgument
     */
    public static function all(iterable $keys): array
    {
        $all = [];
        foreach ($keys as $key) {
            $all[] = self::of($key);
        }

        return $all;
    }
}
