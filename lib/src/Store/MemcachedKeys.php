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
 * A namespace holds neither "!" nor ":", and a generation is always 11 letters: so no two of these can meet.
 *
 * @internal
 */
final readonly class MemcachedKeys
{
    /** Keys of up to this length are named by `space`, the generation, a dot and the key, whatever their bytes. */
    public const SHORT = 60;

    /** Of the server's 250 bytes, 50 are left for the prefix of the client. */
    private const LONGEST = 200;

    /** The same for keys that go in base64, which have 186. */
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

    /** One that nobody has seen before. */
    public static function newGeneration(): string
    {
        return self::letters(random_bytes(8));
    }

    /** The value that was found, if it is one. */
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

    /** The longest item that item() gives, for a look at what the client takes. */
    public function longest(): string
    {
        return str_pad($this->generation, self::LONGEST, '-');
    }

    /**
     * A version or lease as the application sees it, from the server's number, and back: a number of this item alone.
     *
     * Servers count by themselves, each from 1. The same key lies on another server after a clear(), where the same
     * number may come again; with the item's name mixed in it is another one.
     */
    public static function mixed(string $item, int $number): int
    {
        /** @var array{1: int} $hash */
        $hash = unpack('J', hash('xxh3', $item, true));

        $mixed = ($hash[1] ^ $number) & PHP_INT_MAX;

        // A server takes 0 for "any version", and gives nobody a number near the largest.
        return $number < 0 || $mixed === 0 ? PHP_INT_MAX : $mixed;
    }

    private static function letters(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
