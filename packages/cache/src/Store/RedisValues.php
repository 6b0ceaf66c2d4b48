<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\UnstorableValue;
use ValueError;

/**
 * The form of a value in Redis: 8 bytes of the generation, which the script puts there, 8 of the version, 1 that names
 * the format, then the value.
 *
 *     i    an integer in decimal, for which Redis itself can count
 *     s    a string, unchanged
 *     p    serialize()
 *     g    igbinary_serialize()
 *     x    one of these, sealed: only SealedValues can open it
 *
 * @internal
 */
final readonly class RedisValues
{
    /** The formats of an integer, and of what is sealed. */
    public const INTEGER = 'i';
    public const SEALED = 'x';

    /** Bytes of generation and version. */
    public const HEAD = 16;

    /**
     * @param string  $serializer php or igbinary; values of both are read
     * @param Classes $classes    of which they may be, written and read
     */
    public function __construct(private string $serializer, public Classes $classes)
    {
        if (!\in_array($serializer, ['php', 'igbinary'], true)) {
            throw new ValueError('A serializer is "php" or "igbinary"');
        }
        if ($serializer === 'igbinary' && !\function_exists('igbinary_serialize')) {
            throw new ValueError('The serializer igbinary needs the PHP extension igbinary');
        }
    }

    /** 63 random bits, so that no number comes twice, not even after a restart of a server. */
    public static function number(): string
    {
        return self::packed(random_int(1, PHP_INT_MAX));
    }

    public static function packed(int $number): string
    {
        return pack('J', $number);
    }

    public static function unpacked(string $number): int
    {
        /** @var array{1: int} $unpacked */
        $unpacked = unpack('J', $number);

        return $unpacked[1];
    }

    /**
     * A new version and the value.
     *
     * @throws UnstorableValue
     */
    public function written(mixed $value): string
    {
        return self::number() . match (true) {
            \is_int($value) => 'i' . $value,
            \is_string($value) => 's' . $value,
            $this->serializer === 'igbinary' && (\is_array($value) || \is_object($value)) => 'g'
                . Storable::serializedByIgbinary($value, $this->classes),
            default => 'p' . Storable::serialized($value, $this->classes),
        };
    }

    /** Whether a reply is a value of this generation. */
    public static function isOf(mixed $generation, string $reply): bool
    {
        return \is_string($generation)
            && \strlen($generation) === 8
            && \strlen($reply) > self::HEAD
            && str_starts_with($reply, $generation);
    }

    public static function version(string $reply): int
    {
        return self::unpacked(substr($reply, 8, 8));
    }

    public function read(string $reply): StoredBytes
    {
        $bytes = substr($reply, self::HEAD + 1);

        return match ($reply[self::HEAD]) {
            'i' => StoredBytes::value((int) $bytes),
            's' => StoredBytes::value($bytes),
            'p' => StoredBytes::read($bytes, $this->classes),
            'g' => StoredBytes::readIgbinary($bytes, $this->classes),
            default => StoredBytes::inNoForm(),
        };
    }
}
