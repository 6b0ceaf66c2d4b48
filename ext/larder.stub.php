<?php

/** @generate-class-entries */

namespace Larder {
    /** How a write ended. Only Done changed something. */
    enum Outcome
    {
        /** It is done: the value is stored, the key is gone. */
        case Done;
        /** replace, append, cas, touch, increment, delete: the key was not there. */
        case NotFound;
        /**
         * add: the key is there. cas: the version has moved. set with a lease: the lease is lost. increment: the value
         * is not an integer. append: it is not a string.
         */
        case Exists;
        /**
         * Nothing changed: the value is too large, there is no room, a lock was not given in time, or the server cannot
         * be reached. Counted in info().
         */
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
        /** Whether the value was marked as outdated and may be handed out only while a process makes it anew. */
        public readonly bool $stale;
        /**
         * The right to compute the value, for set() or release(). Null: none, or another process has it. 0: it is lost
         * already.
         */
        public readonly ?int $lease;
        /** False: no server answered, so nothing is known of the key. True without a hit: it is not there. */
        public readonly bool $answered;

        /** For stores written in PHP. */
        public function __construct(
            bool $hit = false,
            mixed $value = null,
            int $version = 0,
            bool $stale = false,
            ?int $lease = null,
            bool $answered = true,
        ) {}
    }

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

    /**
     * A store in this process's reach: a get is so cheap that nothing is gained by asking for two keys in one call.
     *
     * A class that forwards to such a store implements this too, and so keeps Larder\Cache's hit in one call.
     */
    interface NearStore extends Store
    {
        /**
         * The key of an entry's first element. No other array in the store begins with it.
         *
         * @var string
         */
        public const MARKER = '~larder';

        /**
         * The key of what an entry was made from, which is fresh only while that holds. Its marker is 0.
         *
         * @var int
         */
        public const STAMPS = 3;

        /**
         * The key of the time until then.
         *
         * @var int
         */
        public const WHILE_CURRENT = 7;

        /**
         * The value of an entry that is still fresh, in one call.
         *
         * An entry is an array that its owner stored under the key. It begins with two elements. The first has the key
         * MARKER, and its value is an integer: the Unix time in microseconds until which the entry is fresh. The second
         * has the key 0 and is the value. What follows is the owner's, but for two elements anywhere behind: that with
         * the key STAMPS is an array of numbers by key, that with the key WHILE_CURRENT a time like the marker's. Until
         * then the entry is fresh as well, if each of these keys has just that number as its value in this store.
         *
         * @param bool $stamped whether the stamps are looked at, where the marker's time is over
         *
         * @return mixed null: there is no such entry, its value is null, less than 10 ms are left of its time, or no
         *     value can have this key
         */
        public function fresh(string $key, bool $stamped = false): mixed;
    }

    /**
     * A store in memory that all PHP processes of a host share, or all that one master process has started.
     *
     * A get hands out arrays, and strings over 16 KB, without a copy: its time does not depend on their size. What it
     * returns is an ordinary PHP value: writing to it separates it as always.
     *
     * A value over half of a shard (about a tenth of the segment, info()['largest']) is Refused; when there is no room,
     * values are evicted, those unused for longest first (SIEVE).
     *
     * @strict-properties
     * @not-serializable
     */
    final class SharedMemory implements NearStore
    {
        /**
         * @param string|null $namespace a set of keys of its own, up to 63 bytes without NUL; null: the one of
         *     larder.namespace
         *
         * @throws \ValueError if the namespace is too long or holds NUL
         * @throws Exception\SharedMemoryUnavailable if there is no segment
         */
        public function __construct(?string $namespace = null) {}

        public function get(string $key, mixed $default = null): mixed {}

        public function read(string $key): Answer {}

        public function fresh(string $key, bool $stamped = false): mixed {}

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
         * Names who hears of a value that is there and cannot be read, which is a miss for every read: a failure of
         * kind ClassGone, ClassChanged or Unreadable. fresh() tells of none.
         *
         * @phpstan-param (\Closure(Failure): mixed)|null $report called behind the read
         *
         * @param \Closure|null $report null: nobody
         *
         * @return \Closure|null who heard of it before
         */
        public function reportTo(?\Closure $report): ?\Closure {}

        /**
         * The state of the segment.
         *
         * - mode: "share" or "copy"; reason: why it is not shared or not the one named, else ""
         * - name: the file of a named segment, or ""; private: whether a named one was refused; alone: whether no other
         *   process can see it, since it has no name, and this process made it and has no children; base, size, made
         *   (unix time)
         * - namespace; slots, slotsUsed, epoch, reaped (dead processes' slots taken back), noSlot (calls refused for
         *   want of one)
         * - oldestPinAge (seconds, 0.0: nobody reads), oldestPinProcess
         * - largest: the most bytes a string may have, whatever its key
         * - entries, leases, bytesUsed, bytesLimbo (removed, but perhaps still read), bytesTotal, stores, evictions,
         *   expirations, refusedLarge, refusedFull, lockTimeouts, recoveries: sums over the shards
         * - shards: the same for each
         *
         * @return array<string, mixed>
         */
        public function info(): array {}

        /**
         * A part of this namespace's entries, in no order. An entry that is there during a whole walk is seen at least
         * once.
         *
         * @param int $cursor 0, then what the last call gave as "next", until that is null
         *
         * @return array{next: int|null, entries: list<array{key: string, type: string, bytes: int, expires: float|null,
         *     version: int}>}
         */
        public function entries(int $cursor = 0, int $limit = 1000): array {}
    }

    /** What went wrong between us and a server. */
    enum FailureKind
    {
        /** It is known to be dead and was not tried: it is probed again after the retry interval. */
        case Down;
        /** No address was found for its name. */
        case Unresolved;
        /** No connection came about. */
        case Unreachable;
        /** The deadline passed. */
        case TimedOut;
        /** The server closed the connection before it answered. */
        case Closed;
        /** What came was not provably the reply to our request; the connection was closed. */
        case OutOfStep;
        /** It does not take our user and password, or we do not trust its certificate. */
        case Denied;
        /** The value is larger than the server takes. */
        case TooLarge;
        /** The server has no memory left for it. */
        case NoMemory;
        /** The server failed, as it says. */
        case ServerError;
        /** The server does not understand us: it is older than memcached 1.6.18, or another program. */
        case NotUnderstood;
        /** Others changed the key each time between our look and our write; nothing was written. */
        case Contended;
        /** What is stored was not written by a client whose format we know, or is damaged; taken for a miss. */
        case Unreadable;
        /** The value is of a class, an enum or a case that is not there any more; taken for a miss. */
        case ClassGone;
        /** The value holds an object of a class that $objects does not list; taken for a miss, and never made. */
        case ClassRefused;
        /**
         * The value's class does not take it any more: a property has another type, or its __wakeup or __unserialize
         * threw; taken for a miss.
         */
        case ClassChanged;
        /**
         * It is larger, or would be once decoded, than larder.memcached_value_max or memory_limit allow, or takes
         * longer to decode than larder.memcached_decode_timeout; taken for a miss.
         */
        case OverLimit;
    }

    /**
     * One thing that went wrong in a call.
     *
     * @strict-properties
     * @not-serializable
     */
    final class Failure
    {
        public readonly FailureKind $kind;
        /** As it stands in the configuration; "shared memory". */
        public readonly string $server;
        /** Null: it concerns the whole server. */
        public readonly ?string $key;
        /** A sentence that names the server, the key, and what can be done. */
        public readonly string $message;
        /** TooLarge: the bytes that were sent. OverLimit: those that the value has or would take, as far as known. */
        public readonly ?int $size;
        /** TooLarge: the bytes that the server takes for an item, key and all; null: it did not tell. */
        public readonly ?int $limit;

        private function __construct() {}
    }

    /**
     * A store on memcached servers (1.6.18 or later), by the meta protocol. Any call, for one key or thousands, is one
     * round trip to all servers at once at its usual course, and ends at its deadline.
     *
     * A key is 1 to 250 bytes as it is sent, with the prefix: such that holds control bytes or spaces goes in base64,
     * so of those 186. Keys and values are those of ext-memcached or pecl-memcache, by ring and layout.
     *
     * No call throws for what a server or the network does: reads miss, writes are Refused (not done) or Unknown (sent,
     * no answer), and failures() tells what happened. No write is sent twice; a read goes again, once, where the server
     * has closed the connection.
     *
     * A ttl of more than ten years (315,360,000 seconds), such as a Unix time, is a ValueError; null is without end.
     *
     * @strict-properties
     * @not-serializable
     */
    final class Memcached implements Store
    {
        /**
         * The same arguments are the same pool: its connections last until the process ends, or until 64 others were
         * used since.
         *
         * @phpstan-param string|array<array-key, string|int> $servers
         *
         * @param string|array $servers "host", "host:port", "[::1]:11211", "unix:/path", "tls://host:port"; a list of
         *     them, or weights (1 to 1000) by them
         * @param string $prefix put before every key
         * @param int $timeout milliseconds for a whole call, connecting included
         * @param int $retry milliseconds until a dead server is tried again; doubles up to 16 times that while it stays
         *     dead
         * @param string $ring larder, modula, consistent, ketama (ext-memcached's), memcache, memcache-standard
         *     (pecl-memcache's), nginx
         * @param string|null $hash default, md5, crc, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, murmur, crc32; null: the
         *     ring's own. Any of the first eight goes with modula and consistent, crc32 and fnv1a_32 with
         *     pecl-memcache's
         * @param string $layout memcached or memcache: whose flags are written; both are read
         * @param string $serializer php, igbinary, msgpack, json (no objects and enums, which would come back as
         *     something else), none. With these two, values of other serializers are not read
         * @param string $compressor none, zlib, zstd, lz4; fastlz is read
         * @param int $compressionThreshold bytes from which compression is tried
         * @param bool $shared whether other clients may use these keys: then there are no leases, which they would read
         *     as "", and no clear()
         * @param string $failover none, next or mirror (with these two stale values are possible when a server comes
         *     back with those of before)
         * @param bool $udp gets by datagrams, where a reply fits one
         * @param int $dnsTimeout milliseconds for a name, apart from $timeout
         * @param string|null $user with $password: text authentication, for servers with -Y
         * @param string|null $password without spaces, which memcached 1.6.18 does not take
         * @param string|null $tlsCa file of the authorities to trust; null: the system's
         * @param string|null $tlsCert file of the certificate that is shown to the server; null: none
         * @param string|null $tlsKey file of its key, without a password; null: in $tlsCert
         * @param string|null $tlsName the name in the certificate; null: the host's
         * @param bool $tlsVerify false: any certificate is taken, so anybody in between can read and change what is
         *     sent
         * @phpstan-param bool|list<string> $objects
         *
         * @param bool|array $objects of which classes values may be, since who writes to the servers chooses what is
         *     made here. A list adds to the usual ones: stdClass, DateTime, DateTimeImmutable, DateTimeZone,
         *     DateInterval, ArrayObject, and enums that are loaded. Names are exact, but for the case; no subclass is
         *     meant. false: no objects and no enums; true: any class. A value with another one is not stored
         *     (Exception\UnstorableValue), and is a miss (ClassRefused)
         *
         * @throws \ValueError for an option that does not exist or does not fit the others
         */
        public function __construct(
            string|array $servers = '127.0.0.1:11211',
            string $prefix = '',
            int $timeout = 250,
            int $retry = 1000,
            string $ring = 'larder',
            ?string $hash = null,
            string $layout = 'memcached',
            string $serializer = 'php',
            string $compressor = 'none',
            int $compressionThreshold = 2000,
            bool $shared = true,
            string $failover = 'none',
            bool $udp = false,
            int $dnsTimeout = 1000,
            ?string $user = null,
            #[\SensitiveParameter]
            ?string $password = null,
            ?string $tlsCa = null,
            ?string $tlsCert = null,
            ?string $tlsKey = null,
            ?string $tlsName = null,
            bool $tlsVerify = true,
            bool|array $objects = [],
        ) {}

        /** A miss and a server that does not answer both give $default: read() and failures() tell them apart. */
        public function get(string $key, mixed $default = null): mixed {}

        public function read(string $key): Answer {}

        /** @alias Larder\Memcached::read */
        public function gets(string $key): Answer {}

        public function getMultiple(array $keys): array {}

        /**
         * An answer for every key.
         *
         * @phpstan-param list<string> $keys
         *
         * @return array<array-key, Answer> by key
         */
        public function readMultiple(array $keys): array {}

        public function has(string $key): bool {}

        public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome {}

        public function add(string $key, mixed $value, ?float $ttl = null): Outcome {}

        public function replace(string $key, mixed $value, ?float $ttl = null): Outcome {}

        public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome {}

        /**
         * @phpstan-param array<array-key, mixed> $values
         * @phpstan-param array<array-key, int> $versions by key, for each of $values
         *
         * @return array<array-key, Outcome> by key
         */
        public function casMultiple(array $values, array $versions, ?float $ttl = null): array {}

        /** All at once. A value that cannot be stored ends the call before anything is sent. */
        public function setMultiple(array $values, ?float $ttl = null): array {}

        /**
         * Adds bytes behind a string. Any other value is Outcome::Exists, and stays as it is.
         *
         * Two round trips, the first to see what is there. A string that is compressed, or that the server would count,
         * takes three: it is read and stored anew, if nobody wrote meanwhile.
         */
        public function append(string $key, string $bytes): Outcome {}

        /** As append(), before the string. */
        public function prepend(string $key, string $bytes): Outcome {}

        /**
         * @phpstan-param array<array-key, string> $bytes by key
         *
         * @return array<array-key, Outcome> by key
         */
        public function appendMultiple(array $bytes): array {}

        public function delete(string $key): Outcome {}

        public function deleteMultiple(array $keys): array {}

        public function touch(string $key, ?float $ttl = null): Outcome {}

        /**
         * @phpstan-param list<string> $keys
         *
         * @return array<array-key, Outcome> by key
         */
        public function touchMultiple(array $keys, ?float $ttl = null): array {}

        /** The value, which gets a new ttl by this. */
        public function getAndTouch(string $key, ?float $ttl = null): Answer {}

        public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome {}

        public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome {}

        /**
         * @phpstan-param list<string> $keys each key once
         *
         * @return array<array-key, int|Outcome> by key
         */
        public function incrementMultiple(array $keys, int $by = 1, ?int $initial = null, ?float $ttl = null): array {}

        /**
         * @phpstan-param list<string> $keys each key once
         *
         * @return array<array-key, int|Outcome> by key
         */
        public function decrementMultiple(array $keys, int $by = 1, ?int $initial = null, ?float $ttl = null): array {}

        /**
         * A lease's life is in whole seconds here, rounded up, and up to one more; it does not end with the process: it
         * runs out.
         *
         * @throws Exception\PoolIsShared
         */
        public function getOrLease(string $key, float $seconds = 10.0): Answer {}

        /** @throws Exception\PoolIsShared */
        public function lease(string $key, float $seconds = 10.0): ?int {}

        /** @throws Exception\PoolIsShared */
        public function release(string $key, int $lease): bool {}

        /**
         * Marks the value as outdated: it is still handed out, until one caller of getOrLease() has made it anew.
         *
         * @param float|null $ttl how long it may still be handed out; null: as long as it would have been
         *
         * @throws Exception\PoolIsShared
         */
        public function markStale(string $key, ?float $ttl = null): Outcome {}

        /** Many calls of all kinds in one round trip, or in two steps: send, compute, take the answers. */
        public function pipeline(): Pipeline {}

        /**
         * Empties all servers.
         *
         * @throws Exception\PoolIsShared
         */
        public function clear(): Outcome {}

        /** The server that keeps this key, as it stands in the configuration. */
        public function serverOf(string $key): string {}

        /**
         * The server process that keeps this key: one that is started anew is another one, and counts versions from the
         * beginning. What was read between two calls that give the same came from that very process.
         *
         * The server tells its process id and start (stats) once per connection; a proxy tells its own.
         *
         * @param bool $ask false: only what is known already, without a word to the server
         *
         * @return string|null null: it did not tell, or has run for so few seconds that another one could look the
         *     same, or gets go by datagrams
         */
        public function processOf(string $key, bool $ask = true): ?string {}

        /**
         * The constructor's arguments by name, without the password, with the servers as weights by address.
         *
         * @return array<string, array<array-key, int|string>|string|int|bool|null>
         */
        public function settings(): array {}

        /**
         * What went wrong in the last call of this object; empty: every server answered.
         *
         * @return list<Failure>
         */
        public function failures(): array {}

        /**
         * What the servers say of themselves.
         *
         * @param string $group "", "settings", "items", "slabs", "sizes", "conns"
         *
         * @return array<string, array<string, string>|null> by server; null: no answer
         */
        public function stats(string $group = ''): array {}

        /** @return array<string, string|null> by server; null: no answer */
        public function version(): array {}

        /**
         * What this process counted, by server: connects, connectFailures, batches, requests, bytesSent, bytesReceived,
         * timeouts, closedInDoubt, refusedDown, down, udpAsked, udpAnswered, udpLost, udpDropped, udpLong,
         * udpFallbacks.
         *
         * @return array<string, array<string, int|bool>>
         */
        public function info(): array {}

        /** Closes this pool's connections; the next call opens them again. */
        public function close(): void {}
    }

    /**
     * Calls that wait to be sent together. Larder\Memcached::pipeline() makes one.
     *
     * @strict-properties
     * @not-serializable
     */
    final class Pipeline implements \Countable
    {
        private function __construct() {}

        /** Answer */
        public function read(string $key): static {}

        /** Answer */
        public function getAndTouch(string $key, ?float $ttl = null): static {}

        /** Answer, without the value: whether the key is there, and its version */
        public function version(string $key): static {}

        /** bool */
        public function has(string $key): static {}

        /** Outcome */
        public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): static {}

        /** Outcome */
        public function add(string $key, mixed $value, ?float $ttl = null): static {}

        /** Outcome */
        public function replace(string $key, mixed $value, ?float $ttl = null): static {}

        /** Outcome */
        public function cas(string $key, mixed $value, int $version, ?float $ttl = null): static {}

        /** Outcome */
        public function append(string $key, string $bytes): static {}

        /** Outcome */
        public function prepend(string $key, string $bytes): static {}

        /** Outcome */
        public function delete(string $key): static {}

        /** Outcome */
        public function touch(string $key, ?float $ttl = null): static {}

        /** int|Outcome */
        public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): static {}

        /** int|Outcome */
        public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): static {}

        /** Answer */
        public function getOrLease(string $key, float $seconds = 10.0): static {}

        /** int|null */
        public function lease(string $key, float $seconds = 10.0): static {}

        /** bool */
        public function release(string $key, int $lease): static {}

        /** Outcome */
        public function markStale(string $key, ?float $ttl = null): static {}

        public function count(): int {}

        /**
         * Sends all and forgets them. Calls on one key take effect in their order as long as each takes one round trip.
         *
         * @return list<mixed> what each call gives, in their order
         */
        public function run(): array {}

        /**
         * Sends all and forgets them, without waiting for the answers: finish() takes these later. What is queued
         * meanwhile is for the next time. Any other call on the same servers takes the answers first, and none is lost.
         *
         * @throws \Error if what was begun before is not finished
         */
        public function begin(): static {}

        /**
         * Waits for the answers to what begin() has sent. Its deadline begins now. An object that is gone without it
         * waits, too, so that what was sent is done.
         *
         * @return list<mixed> what each call gives, in their order
         *
         * @throws \Error if nothing was begun
         */
        public function finish(): array {}
    }
}

namespace Larder\Exception {
    /** Carried by every exception that Larder throws. */
    interface LarderException extends \Throwable
    {
    }

    /**
     * A value that cannot be stored. The message names the place inside it, such as $value['a'][3], and what is
     * allowed.
     */
    final class UnstorableValue extends \InvalidArgumentException implements LarderException
    {
    }

    /** There is no segment: larder.size is 0, or the system gave no memory. */
    final class SharedMemoryUnavailable extends \RuntimeException implements LarderException
    {
    }

    /**
     * Leases and clear() change what other clients of the same servers would see. Construct the pool with shared: false
     * if there are none.
     */
    final class PoolIsShared extends \LogicException implements LarderException
    {
    }
}
