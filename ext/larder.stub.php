<?php

/** @generate-class-entries */

namespace Larder {
    /** How a write ended. Only Done changed something. */
    enum Outcome
    {
        /** It is done: the value is stored, the key is gone. */
        case Done;
        /** replace, cas, touch, increment, delete: the key was not there. */
        case NotFound;
        /** add: the key is there. cas: the version has moved. set with a lease: the lease is lost. increment: not an integer. */
        case Exists;
        /** Nothing changed: too large, no room, or a lock was not given in time. Counted in info(). */
        case Refused;
        /** Sent, but no answer came: it may have been done or not. Never given by SharedMemory. */
        case Unknown;
    }

    /**
     * What a store knows of a key: a value or none, and whether the caller is to make it.
     *
     * @strict-properties
     * @not-serializable
     */
    final class Answer
    {
        /** Whether there is a value; a stored null or false is one. */
        public readonly bool $hit;
        /** The value, or null. */
        public readonly mixed $value;
        /** For cas(); 0 without a value. */
        public readonly int $version;
        /** Whether the value was marked as outdated and may be handed out only as long as somebody makes it anew. */
        public readonly bool $stale;
        /** The right to compute the value: give it to set() or release(). Null: nothing to compute, or another process does. */
        public readonly ?int $lease;

        /** For stores written in PHP. */
        public function __construct(bool $hit = false, mixed $value = null, int $version = 0, bool $stale = false, ?int $lease = null) {}
    }

    /**
     * Keeps values by key.
     *
     * A key is 1 to 1,024 bytes, any bytes; another length is a ValueError. A value is null, bool, int, float, string, array, an enum or a
     * serializable object, in any nesting; else Larder\Exception\UnstorableValue, and the key is not changed. A ttl is in seconds by the
     * real clock from now on; null is without end, 0 or less removes the key. A store that is full, slow or gone answers with a
     * miss or with Outcome::Refused; it never throws for that.
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
         * @param int|null $initial the value to start with when the key is not there (it is not added to); null: Outcome::NotFound
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
         * @param float $seconds the lease's life, by the monotonic clock; it ends earlier by set() with it, by release(), by a set or
         *                       delete of the key, at the end of the request and with the process
         *
         * @return Answer a hit; or a lease; or neither: another process computes
         */
        public function getOrLease(string $key, float $seconds = 10.0): Answer;

        /** The right to compute this key's value, whether it has one or not; null: another process has it. */
        public function lease(string $key, float $seconds = 10.0): ?int;

        /** Gives a lease back. False: it was lost already. */
        public function release(string $key, int $lease): bool;

        /** Removes all keys of this store's namespace. */
        public function clear(): Outcome;
    }

    /**
     * A store in memory that all PHP processes of a host share, or all that one master process has started.
     *
     * A get hands out arrays, and strings over 16 KB, without a copy: its time does not depend on their size. What it returns is an
     * ordinary PHP value: writing to it separates it as always.
     *
     * A value over half of a shard (about a tenth of the segment, info()['largest']) is Refused; when there is no room, values are evicted, those
     * unused for longest first (SIEVE).
     *
     * @strict-properties
     * @not-serializable
     */
    final class SharedMemory implements Store
    {
        /**
         * @param string|null $namespace a set of keys of its own, up to 63 bytes without NUL; null: the one of larder.namespace
         *
         * @throws \ValueError if the namespace is too long or holds NUL
         * @throws Exception\SharedMemoryUnavailable if there is no segment, or it has 256 namespaces already
         */
        public function __construct(?string $namespace = null) {}

        public function get(string $key, mixed $default = null): mixed {}

        public function read(string $key): Answer {}

        public function getMultiple(array $keys): array {}

        public function has(string $key): bool {}

        public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome {}

        public function add(string $key, mixed $value, ?float $ttl = null): Outcome {}

        public function replace(string $key, mixed $value, ?float $ttl = null): Outcome {}

        public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome {}

        public function setMultiple(array $values, ?float $ttl = null): array {}

        public function delete(string $key): Outcome {}

        public function deleteMultiple(array $keys): array {}

        public function touch(string $key, ?float $ttl = null): Outcome {}

        public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome {}

        public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome {}

        public function getOrLease(string $key, float $seconds = 10.0): Answer {}

        public function lease(string $key, float $seconds = 10.0): ?int {}

        public function release(string $key, int $lease): bool {}

        public function clear(): Outcome {}

        /**
         * The state of the segment.
         *
         * - mode: "share" or "copy"; reason: why it is not shared or not the one named, else ""
         * - name: the file of a named segment, or ""; private: whether a named one was refused; base, size, made (unix time)
         * - namespace; slots, slotsUsed, epoch, reaped (dead processes' slots taken back), noSlot (calls refused for want of one)
         * - oldestPinAge (seconds, 0.0: nobody reads), oldestPinProcess
         * - largest: the most bytes a value may have
         * - entries, leases, bytesUsed, bytesLimbo (removed, but perhaps still read), bytesTotal, stores, evictions, expirations,
         *   refusedLarge, refusedFull, lockTimeouts, recoveries: sums over the shards
         * - shards: the same for each
         *
         * @return array<string, mixed>
         */
        public function info(): array {}

        /**
         * A part of this namespace's entries, in no order. An entry that is there during a whole walk is seen at least once.
         *
         * @param int $cursor 0, then what the last call gave as "next", until that is null
         *
         * @return array{next: int|null, entries: list<array{key: string, type: string, bytes: int, expires: float|null, version: int}>}
         */
        public function entries(int $cursor = 0, int $limit = 1000): array {}
    }
}

namespace Larder\Exception {
    /** Carried by every exception that Larder throws. */
    interface LarderException extends \Throwable
    {
    }

    /** A value that cannot be stored; the message names the place inside it, such as $value['a'][3], and what is allowed. */
    final class UnstorableValue extends \InvalidArgumentException implements LarderException
    {
    }

    /** There is no segment: larder.size is 0, or the system gave no memory. */
    final class SharedMemoryUnavailable extends \RuntimeException implements LarderException
    {
    }
}
