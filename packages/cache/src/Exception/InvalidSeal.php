<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

/** A seal that would not protect what it is made for. No message holds a key. */
final class InvalidSeal extends InvalidArgumentException implements LarderException
{
    public static function none(): self
    {
        return new self('A seal needs a key: make one by Seal::newKey(), or by "openssl rand -base64 32".');
    }

    public static function key(int $number): self
    {
        return new self(\sprintf(
            'Key %d of a seal is none. A key is 32 random bytes in base64, 44 characters, as Seal::newKey() or '
                . '"openssl rand -base64 32" makes them.',
            $number,
        ));
    }

    public static function twice(int $number): self
    {
        return new self(\sprintf('Key %d of a seal is in the list twice: name each key once.', $number));
    }

    public static function cipher(string $name): self
    {
        return new self(\sprintf(
            'There is no cipher %s for a seal: there are "xchacha20-poly1305" and "aes-256-gcm".',
            json_encode($name, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR),
        ));
    }

    public static function extension(?string $cipher, ?string $extension): self
    {
        return new self(
            $cipher === null
                ? 'A seal needs the PHP extension sodium or openssl, and neither is loaded.'
                : "The cipher $cipher needs the PHP extension $extension, which is not loaded.",
        );
    }

    public static function failed(): self
    {
        return new self('OpenSSL cannot encrypt by AES-256-GCM: take the cipher xchacha20-poly1305.');
    }

    public static function serializer(): self
    {
        return new self(
            'A MemcachedStore with a seal reads nothing that is not sealed, but its client would decode it: construct '
                . 'Larder\Memcached with serializer: \'none\'.',
        );
    }
}
