<?php

declare(strict_types=1);

namespace Larder\Store;

use ValueError;

/**
 * How the keys of one namespace are named in Redis:
 *
 *     site!            the record of the generation: 8 random bytes that stand for all between two clear(), and the
 *                      master_replid of the server that they count on
 *     site:news:4      the value of news:4
 *     site?news:4      the lease of news:4
 *     site=            where a script counts; it is there only while one runs
 *
 * What survives a restart has a "+" behind the namespace, so that it lies apart from what does not: site+!, site+:k.
 *
 * A namespace is URL-encoded, so it holds none of these signs, and no two names of two namespaces can be equal.
 *
 * @internal
 */
final readonly class RedisKeys
{
    public string $generation;

    /** A pattern for SCAN that finds the values of this namespace, and may find others. */
    public string $pattern;

    /** What all names of this namespace begin with. */
    public string $prefix;

    private string $spare;

    public function __construct(string $namespace, bool $survives = false)
    {
        if ($namespace === '' || \strlen($namespace) > 63) {
            throw new ValueError('A namespace must be 1 to 63 bytes long');
        }
        $this->prefix = rawurlencode($namespace) . ($survives ? '+' : '');
        $this->generation = $this->prefix . '!';
        $this->spare = $this->prefix . '=';
        // rawurlencode() leaves nothing that is special to SCAN.
        $this->pattern = $this->prefix . ':*';
    }

    public static function check(string ...$keys): void
    {
        foreach ($keys as $key) {
            if ($key === '' || \strlen($key) > 1024) {
                throw new ValueError('A key must be 1 to 1024 bytes long');
            }
        }
    }

    public function value(string $key): string
    {
        return $this->prefix . ':' . $key;
    }

    public function lease(string $key): string
    {
        return $this->prefix . '?' . $key;
    }

    /**
     * The keys that a script takes: the generation, then two names for each key, and the spare one.
     *
     * @return non-empty-list<string>
     */
    public function of(string ...$keys): array
    {
        $names = [$this->generation];
        foreach ($keys as $key) {
            $names[] = $this->value($key);
            $names[] = $this->lease($key);
        }
        $names[] = $this->spare;

        return $names;
    }
}
