<?php

declare(strict_types=1);

namespace Larder\Store;

use ValueError;

/**
 * How the keys of one namespace are named on the servers:
 *
 *     site!                       the generation: 11 letters that stand for all between two clear()
 *     site:Zk3qk0aB-_4.news:4     the key news:4
 *     site:Zk3qk0aB-_4#hGx0…      a key that is too long, by its SHA-256
 *
 * A namespace holds neither "!" nor ":", and a generation is always 11 letters, so no two of these names can be equal.
 *
 * @internal
 */
final readonly class MemcachedKeys
{
    /** Keys of up to this length are named by `space`, the generation, a dot and the key, whatever their bytes. */
    public const SHORT = 60;

    /** The server takes 250 bytes, of which 50 are left for the client's prefix. */
    private const LONGEST = 200;

    /** The same for keys that are sent in base64, where the server takes 186. */
    private const LONGEST_IN_BASE64 = 136;

    /** Where the generation is kept. */
    public string $generation;

    /** What all names of items begin with. */
    public string $space;

    public function __construct(string $namespace)
    {
        if (preg_match('/^[A-Za-z0-9._-]{1,63}$/D', $namespace) !== 1) {
            throw new ValueError(
                'A namespace on memcached must be 1 to 63 letters, digits, dots, dashes or underscores',
            );
        }
        $this->generation = $namespace . '!';
        $this->space = $namespace . ':';
    }

    /** A generation that was never used before. */
    public static function newGeneration(): string
    {
        return self::letters(random_bytes(8));
    }

    /** The value that was found, if it is a generation. */
    public static function generationIn(mixed $value): ?string
    {
        return \is_string($value) && preg_match('/^[A-Za-z0-9_-]{11}$/D', $value) === 1 ? $value : null;
    }

    public static function check(string ...$keys): void
    {
        foreach ($keys as $key) {
            if ($key === '' || \strlen($key) > 1024) {
                throw new ValueError('A key must be 1 to 1024 bytes long');
            }
        }
    }

    public function item(string $generation, string $key): string
    {
        $item = $this->space . $generation . '.' . $key;
        $length = \strlen($item);
        if (
            $length <= self::LONGEST_IN_BASE64
            || ($length <= self::LONGEST && preg_match('/[\x00-\x20\x7f]/', $item) === 0)
        ) {
            return $item;
        }

        return $this->space . $generation . '#' . self::letters(hash('sha256', $key, true));
    }

    /** The longest item that item() gives, to check that the client takes it. */
    public function longest(): string
    {
        return str_pad($this->generation, self::LONGEST, '-');
    }

    /**
     * A version or lease as the application sees it, from the server's number, and back: a number of this item alone.
     *
     * Each server counts from 1. After a clear() a key may lie on another server, where the same number may come again;
     * mixed with the item's name it is a different one.
     */
    public static function mixed(string $item, int $number): int
    {
        /** @var array{1: int} $hash */
        $hash = unpack('J', hash('xxh3', $item, true));

        $mixed = ($hash[1] ^ $number) & PHP_INT_MAX;

        // A server takes 0 for "any version", and never gives a number near the largest.
        return $number < 0 || $mixed === 0 ? PHP_INT_MAX : $mixed;
    }

    private static function letters(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
