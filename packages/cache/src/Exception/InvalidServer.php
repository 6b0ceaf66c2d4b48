<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

/** A server, or a list of them, that is not written as it should be. */
final class InvalidServer extends InvalidArgumentException implements LarderException
{
    public static function written(string $text): self
    {
        return new self(\sprintf(
            '%s is not a server. Written are "host", "host:port", "[::1]:11211", "unix:/path" and "tls://host:port".',
            json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR),
        ));
    }

    public static function weight(string $server, string $weight): self
    {
        return new self(\sprintf('The weight of %s is "%s". A weight is an integer from 1 to 1000.', $server, $weight));
    }

    public static function twice(string $server): self
    {
        return new self(
            \sprintf('%s is in the list twice. To give it a greater part of the keys, give it a weight.', $server),
        );
    }

    public static function none(): self
    {
        return new self('There is no server in the list. Name at least one.');
    }

    public static function line(string $file, int $line, self $reason): self
    {
        return new self(\sprintf('%s, line %d: %s', $file, $line, $reason->getMessage()), previous: $reason);
    }

    public static function because(string $reason): self
    {
        return new self($reason);
    }
}
