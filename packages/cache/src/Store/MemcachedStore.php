<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Answer;
use Larder\Exception\FailoverIsOn;
use Larder\Exception\PoolIsShared;
use Larder\Memcached;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\SparingLogger;
use Larder\Outcome;
use Larder\Pipeline;
use Larder\Store;
use Psr\Log\LoggerInterface;
use Throwable;
use ValueError;

/**
 * A namespace of keys on memcached servers: any bytes up to 1,024 are a key, and clear() takes the keys of this
 * namespace alone.
 *
 * One item, on one server, says which keys were cleared. While that server is gone the whole store is: reads miss (not
 * answered), writes are Outcome::Refused where nothing was changed and Outcome::Unknown where something was.
 *
 * A version is made from the server's number, and a server that restarts counts from 1. So a version from before a
 * restart can, rarely, come again; a version from before a clear() cannot.
 *
 * After a call that timed out no server is asked until the client's retry time is over, so that a request with many
 * calls waits for one deadline only.
 *
 * A failure is counted, and logged if it is the first of its kind and server in a minute; it is never thrown. Without a
 * logger it goes to PHP's error_log, one line a minute and cause.
 */
final readonly class MemcachedStore implements BatchStore, Confirming, KnowsServers
{
    /** The client takes no more seconds than ten years have. */
    private const LONGEST_TTL = 315_360_000.0;

    private MemcachedNamespace $items;
    private MemcachedStamps $stamps;

    /**
     * @param string    $namespace 1 to 63 letters, digits, dots, dashes or underscores
     * @param Memcached $memcached made with shared: false and without failover; its prefix is at most 50 bytes, without
     *     spaces
     * @param Counters  $counters  of failures, by cause: `larder_store_failures_total`
     *
     * @throws PoolIsShared if it was not made so
     * @throws FailoverIsOn if it takes keys from other servers than their own
     * @throws ValueError   if the namespace or the prefix cannot be used
     */
    public function __construct(
        private string $namespace,
        private Memcached $memcached,
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
    ) {
        if ($memcached->settings()['failover'] !== 'none') {
            throw FailoverIsOn::ofMemcached();
        }
        $this->items = new MemcachedNamespace(
            new MemcachedKeys($namespace),
            $memcached,
            new ReportedFailures($log, $counters),
        );
        $this->stamps = new MemcachedStamps($this->items, $memcached);
    }

    /**
     * The store on these servers; where the extension is not loaded, a NullStore, and one line in the log.
     *
     * @param string|non-empty-list<string>|non-empty-array<string, int> $servers as Larder\Memcached takes them
     * @param int                                                        $timeout milliseconds for a call
     * @param bool|list<string> $objects of which classes values may be, as Larder\Memcached has it
     */
    public static function on(
        string|array $servers,
        string $namespace,
        ?LoggerInterface $log = null,
        int $timeout = 250,
        Counters $counters = new NullCounters(),
        bool|array $objects = [],
    ): Store {
        if (!class_exists(Memcached::class, false)) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached on memcached: the PHP extension larder is not loaded. Add extension=larder.so to '
                    . 'the php.ini of this PHP.',
            );

            return new NullStore();
        }

        $memcached = new Memcached($servers, timeout: $timeout, shared: false, objects: $objects);

        return new self($namespace, $memcached, $log, $counters);
    }

    public function address(): string
    {
        return serialize([$this->memcached->settings(), $this->namespace]);
    }

    /** @internal */
    public function classes(): Classes
    {
        return Classes::ofStore($this->memcached);
    }

    public function servers(): array
    {
        $states = $failures = [];
        $stats = $this->memcached->stats();
        foreach ($this->memcached->failures() as $failure) {
            $failures[$failure->server] = $failure->message;
        }
        foreach ($stats as $server => $told) {
            $states[$server] = $told === null
                ? new AskedServer($failures[$server] ?? 'no answer')
                : AskedServer::ofMemcached($told);
        }

        return $states;
    }

    public function get(string $key, mixed $default = null): mixed
    {
        return $this->items->value($key, $default);
    }

    public function read(string $key): Answer
    {
        return $this->call($key, static fn(Pipeline $calls, string $item) => $calls->read($item))->answer();
    }

    public function confirm(array $stamps, array $wanted): Confirmation
    {
        return $this->stamps->confirm($stamps, $wanted);
    }

    public function batch(array $operations): array
    {
        $names = array_keys($operations);
        $keys = array_map(static fn(Operation $operation): string => $operation->key, array_values($operations));
        $refused = [];
        $queue = static function (Pipeline $calls, string $item, string $key, int $call) use (
            $operations,
            $names,
            &$refused,
        ): void {
            $operation = $operations[$names[$call]];
            $number = $operation->number === null ? null : MemcachedKeys::mixed($item, $operation->number);
            $refused[$call] = $operation->queue($calls, $item, $number);
        };
        $replies = $keys === [] ? new MemcachedReplies(true) : $this->items->run($keys, $queue);
        $results = [];
        foreach ($names as $call => $name) {
            $results[$name] = $refused[$call] ?? $replies->result($operations[$name]->kind, $call);
        }

        return $results;
    }

    public function getMultiple(array $keys): array
    {
        return $this->items->values($keys);
    }

    public function has(string $key): bool
    {
        return $this->call($key, static fn(Pipeline $calls, string $item) => $calls->has($item))->isTrue();
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $item = $this->items->quick($key);
        if ($item !== null) {
            $number = $lease === null ? null : MemcachedKeys::mixed($item, $lease);
            $sent = $this->items->sent($this->items->calls()->set($item, $value, self::bounded($ttl), $number));
            if ($sent !== null) {
                return MemcachedReplies::outcomeOf(...$sent);
            }
        }

        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->set(
                $item,
                $value,
                self::bounded($ttl),
                $lease === null ? null : MemcachedKeys::mixed($item, $lease),
            ),
        )->outcome();
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->add($item, $value, self::bounded($ttl)),
        )->outcome();
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->replace($item, $value, self::bounded($ttl)),
        )->outcome();
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->cas(
                $item,
                $value,
                MemcachedKeys::mixed($item, $version),
                self::bounded($ttl),
            ),
        )->outcome();
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        $ttl = self::bounded($ttl);
        $keys = array_map(strval(...), array_keys($values));
        MemcachedKeys::check(...$keys);
        try {
            return $this->each(
                $keys,
                static fn(Pipeline $calls, string $item, string $key) => $calls->set($item, $values[$key], $ttl),
            );
        } catch (Throwable) {
            // One value cannot be stored, and nothing was sent yet: one after the other, so that those before it are
            // stored.
            foreach ($values as $key => $value) {
                $values[$key] = $this->set((string) $key, $value, $ttl);
            }

            return $values;
        }
    }

    public function delete(string $key): Outcome
    {
        return $this->call($key, static fn(Pipeline $calls, string $item) => $calls->delete($item))->outcome();
    }

    public function deleteMultiple(array $keys): array
    {
        return $this->each($keys, static fn(Pipeline $calls, string $item) => $calls->delete($item));
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->touch($item, self::bounded($ttl)),
        )->outcome();
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->increment($item, $by, $initial, self::bounded($ttl)),
        )->number();
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->decrement($item, $by, $initial, self::bounded($ttl)),
        )->number();
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $item = $this->items->quick($key);
        if ($item !== null) {
            $sent = $this->items->sent($this->items->calls()->getOrLease($item, $seconds));
            if ($sent !== null) {
                return MemcachedReplies::answerOf($item, ...$sent);
            }
        }

        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->getOrLease($item, $seconds),
        )->answer();
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->call($key, static fn(Pipeline $calls, string $item) => $calls->lease($item, $seconds))->lease();
    }

    public function release(string $key, int $lease): bool
    {
        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->release($item, MemcachedKeys::mixed($item, $lease)),
        )->isTrue();
    }

    public function clear(): Outcome
    {
        return $this->items->clear();
    }

    /**
     * @internal for larder doctor
     *
     * @return array<string, int> Unix time by server; those that do not answer are left out
     */
    public function clocks(): array
    {
        return $this->items->clocks();
    }

    /** What is longer than the client takes has no end. */
    private static function bounded(?float $ttl): ?float
    {
        return $ttl > self::LONGEST_TTL ? null : $ttl;
    }

    /** @param Closure(Pipeline, string): mixed $queue */
    private function call(string $key, Closure $queue): MemcachedReplies
    {
        return $this->items->run([$key], $queue);
    }

    /**
     * @param list<string>                              $keys
     * @param Closure(Pipeline, string, string): mixed $queue
     *
     * @return array<array-key, Outcome> by key
     */
    private function each(array $keys, Closure $queue): array
    {
        $keys = array_values(array_unique($keys));
        $replies = $keys === [] ? new MemcachedReplies(true) : $this->items->run($keys, $queue);
        $outcomes = [];
        foreach ($keys as $call => $key) {
            $outcomes[$key] = $replies->outcome($call);
        }

        return $outcomes;
    }
}
