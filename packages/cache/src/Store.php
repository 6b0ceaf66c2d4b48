<?php

declare(strict_types=1);

namespace Larder;

/**
 * Keeps values by key.
 *
 * A key is 1 to 1,024 bytes, any bytes; another length is a ValueError. A value is null, bool, int, float, string,
 * array, an enum or a serializable object, in any nesting; anything else is a Larder\Exception\UnstorableValue, and
 * the key is not changed. A ttl is in seconds by the real clock from now on; null is without end, 0 or less removes
 * the key. A store that is full, slow or gone answers with a miss or Outcome::Refused; it never throws for that.
 *
 * A value that is there and cannot be read is a miss: its class, enum or case has changed or is gone, its __wakeup
 * or __unserialize throws, or its bytes are damaged. has() does not look at the value.
 */
interface Store
{
    /** The value, or $default on a miss: give a default of your own to tell a stored null from a miss. */
    public function get(string $key, mixed $default = null): mixed;

    /** The value with its version, or an answer without a hit. */
    public function read(string $key): Answer;

    /**
     * The keys that are there, in the order asked for.
     *
     * @phpstan-param list<string> $keys
     *
     * @return array<array-key, mixed> value by key; PHP turns keys such as "7" into integers
     */
    public function getMultiple(array $keys): array;

    public function has(string $key): bool;

    /** @param int|null $lease of getOrLease(): stored only while it is held, else Outcome::Exists */
    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome;

    /** Stores if the key is not there. */
    public function add(string $key, mixed $value, ?float $ttl = null): Outcome;

    /** Stores if the key is there. */
    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome;

    /** Stores if the key's value is still the one of this version. */
    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome;

    /**
     * One after the other: a value that cannot be stored ends the call, and those before it are stored.
     *
     * @phpstan-param array<array-key, mixed> $values
     *
     * @return array<array-key, Outcome> by key
     */
    public function setMultiple(array $values, ?float $ttl = null): array;

    /** Also ends the key's lease: what is being computed from old data will not be stored. */
    public function delete(string $key): Outcome;

    /**
     * @phpstan-param list<string> $keys
     *
     * @return array<array-key, Outcome> by key
     */
    public function deleteMultiple(array $keys): array;

    /** Gives the value a new ttl, from now on. */
    public function touch(string $key, ?float $ttl = null): Outcome;

    /**
     * Adds to an integer, exactly once.
     *
     * @param int|null $initial the value to start with when the key is not there (it is not added to); null:
     *     Outcome::NotFound
     * @param float|null $ttl of a value that starts here
     *
     * @return int|Outcome the sum; Outcome::Exists when the value is no integer or the sum would not fit
     */
    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome;

    /** As increment(), with $by taken away. May go below 0. */
    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome;

    /**
     * The value, or, on a miss, the right to compute it for exactly one caller of all.
     *
     * @param float $seconds the lease's life, by the monotonic clock; it ends earlier by set() with it, by
     *     release(), by a set or delete of the key, at the end of the request and with the process
     *
     * @return Answer a hit; or a lease; or neither: another process computes. The lease 0 is lost already, since
     *     the store has no room for one: the caller makes the value and does not store it
     */
    public function getOrLease(string $key, float $seconds = 10.0): Answer;

    /**
     * The right to compute this key's value, whether it has one or not.
     *
     * @return int|null null: another process has it; 0: as of getOrLease()
     */
    public function lease(string $key, float $seconds = 10.0): ?int;

    /** Gives a lease back. False: it was lost already. */
    public function release(string $key, int $lease): bool;

    /** Removes all keys of this store's namespace. */
    public function clear(): Outcome;
}
