<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * A pack: a part of the bytes of all files of a release, one behind the other in the order of their paths.
 *
 * @internal
 */
final readonly class PackedFiles
{
    /** Most bytes of what lies in the pool under one key: memcached takes 1 MB by default, with the key and a head. */
    public const LARGEST = 900_000;

    /**
     * @param string $hash SHA-256 of the compressed bytes, in hexadecimal: the name in the pool
     * @param int    $size of the bytes when they are not compressed
     */
    public function __construct(
        public string $hash,
        public int $size,
    ) {}

    public static function compress(string $bytes): string
    {
        return (string) gzdeflate($bytes, 6);
    }

    /** @return string|null null: these are not $size compressed bytes */
    public static function expand(string $compressed, int $size): ?string
    {
        // A length of 0 would be no limit.
        $bytes = @gzinflate($compressed, max(1, $size));

        return $bytes !== false && \strlen($bytes) === $size ? $bytes : null;
    }
}
