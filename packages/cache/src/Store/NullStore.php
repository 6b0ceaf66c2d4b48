<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\NearStore;
use Larder\Outcome;
use ValueError;

/**
 * Keeps nothing: every read is a miss, every write is Outcome::Refused.
 *
 * A caller that asks for a lease always gets one. It gives no right, since set() refuses it like any write. But a
 * caller that got neither a value nor a lease would wait for another process, and here no process computes for another
 * one.
 */
final readonly class NullStore implements MayKeepNothing, NearStore
{
    private const LEASE = 1;

    public function get(string $key, mixed $default = null): mixed
    {
        self::check($key);

        return $default;
    }

    public function read(string $key): Answer
    {
        self::check($key);

        return new Answer();
    }

    public function fresh(string $key, bool $stamped = false): null
    {
        return null;
    }

    public function keepsNothing(): true
    {
        return true;
    }

    public function getMultiple(array $keys): array
    {
        self::check(...$keys);

        return [];
    }

    public function has(string $key): bool
    {
        self::check($key);

        return false;
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return self::refuse($key);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        return $this->deleteMultiple(array_map(strval(...), array_keys($values)));
    }

    public function delete(string $key): Outcome
    {
        return self::refuse($key);
    }

    public function deleteMultiple(array $keys): array
    {
        self::check(...$keys);

        return array_fill_keys($keys, Outcome::Refused);
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): Outcome
    {
        return self::refuse($key);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        self::check($key);

        return new Answer(lease: self::LEASE);
    }

    public function lease(string $key, float $seconds = 10.0): int
    {
        self::check($key);

        return self::LEASE;
    }

    public function release(string $key, int $lease): bool
    {
        self::check($key);

        return $lease === self::LEASE;
    }

    public function clear(): Outcome
    {
        return Outcome::Refused;
    }

    private static function refuse(string $key): Outcome
    {
        self::check($key);

        return Outcome::Refused;
    }

    /** A wrong key is a mistake in the program, so it is an error in every store. */
    private static function check(string ...$keys): void
    {
        foreach ($keys as $key) {
            if ($key === '' || \strlen($key) > 1024) {
                throw new ValueError('A key must be 1 to 1024 bytes long');
            }
        }
    }
}
