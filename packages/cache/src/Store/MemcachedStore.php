<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Answer;
use Larder\Exception\FailoverIsOn;
use Larder\Exception\InvalidSeal;
use Larder\Exception\PoolIsShared;
use Larder\Exception\UnstorableValue;
use Larder\Memcached;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\SparingLogger;
use Larder\Outcome;
use Larder\Pipeline;
use Larder\Store;
use Larder\Store\Sealing\SealedValues;
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
    private ?SealedValues $sealed;

    /**
     * @param string    $namespace 1 to 63 letters, digits, dots, dashes or underscores
     * @param Memcached $memcached made with shared: false and without failover; its prefix is at most 50 bytes, without
     *     spaces
     * @param Counters  $counters  of failures, by cause: `larder_store_failures_total`
     * @param Seal|null $seal      encrypts the values; null: they lie there as they are. With a seal $memcached is made
     *     with serializer: 'none', so that it decodes nothing that is not sealed
     *
     * @throws PoolIsShared if it was not made so
     * @throws FailoverIsOn if it takes keys from other servers than their own
     * @throws InvalidSeal  if it would decode what is not sealed
     * @throws ValueError   if the namespace or the prefix cannot be used
     */
    public function __construct(
        private string $namespace,
        private Memcached $memcached,
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
        ?Seal $seal = null,
    ) {
        $settings = $memcached->settings();
        if ($settings['failover'] !== 'none') {
            throw FailoverIsOn::ofMemcached();
        }
        if ($seal !== null && $settings['serializer'] !== 'none') {
            throw InvalidSeal::serializer();
        }
        $failures = new ReportedFailures($log, $counters);
        $this->sealed = $seal === null
            ? null
            : new SealedValues($seal, 'memcached', $namespace, $failures, Classes::ofClient($memcached));
        $this->items = new MemcachedNamespace(new MemcachedKeys($namespace), $memcached, $failures);
        $this->stamps = new MemcachedStamps($this->items, $memcached);
    }

    /**
     * The store on these servers; where the extension is not loaded, a NullStore, and one line in the log.
     *
     * @param string|non-empty-list<string>|non-empty-array<string, int> $servers as Larder\Memcached takes them
     * @param int                                                        $timeout milliseconds for a call
     * @param bool|list<string> $objects of which classes values may be, as Larder\Memcached has it
     * @param Seal|null $seal encrypts the values; null: they lie there as they are
     */
    public static function on(
        string|array $servers,
        string $namespace,
        ?LoggerInterface $log = null,
        int $timeout = 250,
        Counters $counters = new NullCounters(),
        bool|array $objects = [],
        ?Seal $seal = null,
    ): Store {
        if (!class_exists(Memcached::class, false)) {
            ($log ?? new SparingLogger())->warning(
                'Nothing is cached on memcached: the PHP extension larder is not loaded. Add extension=larder.so to '
                    . 'the php.ini of this PHP.',
            );

            return new NullStore();
        }

        $memcached = new Memcached(
            $servers,
            timeout: $timeout,
            serializer: $seal === null ? 'php' : 'none',
            shared: false,
            objects: $objects,
        );

        return new self($namespace, $memcached, $log, $counters, $seal);
    }

    public function address(): string
    {
        return serialize([$this->memcached->settings(), $this->namespace]);
    }

    /** @internal */
    public function classes(): Classes
    {
        return Classes::ofClient($this->memcached);
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
        if ($this->sealed === null) {
            return $this->items->value($key, $default);
        }
        $found = $this->items->value($key, $this);
        $read = $found === $this ? null : $this->opened($this->sealed, $key, $found);

        return $read === null ? $default : $read->value;
    }

    public function read(string $key): Answer
    {
        $answer = $this->call($key, static fn(Pipeline $calls, string $item) => $calls->read($item))->answer();

        return $this->answer($key, $answer);
    }

    public function confirm(array $stamps, array $wanted): Confirmation
    {
        $told = $this->stamps->confirm($stamps, $wanted);
        if ($this->sealed === null) {
            return $told;
        }
        $answers = $told->answers;
        $present = $told->stamps;
        foreach ($wanted as $key) {
            $answers[$key] = $this->answer($key, $answers[$key]);
            if (!$answers[$key]->hit) {
                unset($present[$key]);
            }
        }

        return new Confirmation($answers, $present);
    }

    public function batch(array $operations): array
    {
        $names = array_keys($operations);
        $keys = array_map(static fn(Operation $operation): string => $operation->key, array_values($operations));
        $refused = [];
        $queue = function (Pipeline $calls, string $item, string $key, int $call) use (
            $operations,
            $names,
            &$refused,
        ): void {
            $operation = $operations[$names[$call]];
            $number = $operation->number === null ? null : MemcachedKeys::mixed($item, $operation->number);
            $refused[$call] = $operation->queue($calls, $item, $number, $this->sealed);
        };
        $replies = $keys === [] ? new MemcachedReplies(true) : $this->items->run($keys, $queue);
        $results = [];
        foreach ($names as $call => $name) {
            $result = $refused[$call] ?? $replies->result($operations[$name]->kind, $call);
            $results[$name] = $this->sealed !== null && $result instanceof Answer
                ? $this->answer($operations[$name]->key, $result, $operations[$name]->seconds)
                : $result;
        }

        return $results;
    }

    public function getMultiple(array $keys): array
    {
        $found = $this->items->values($keys);
        if ($this->sealed === null) {
            return $found;
        }
        foreach ($found as $key => $value) {
            $read = $this->opened($this->sealed, (string) $key, $value);
            if ($read === null) {
                unset($found[$key]);
            } else {
                $found[$key] = $read->value;
            }
        }

        return $found;
    }

    public function has(string $key): bool
    {
        return $this->call($key, static fn(Pipeline $calls, string $item) => $calls->has($item))->isTrue();
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $value = $this->written($key, $value);
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
        $value = $this->written($key, $value);

        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->add($item, $value, self::bounded($ttl)),
        )->outcome();
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $value = $this->written($key, $value);

        return $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->replace($item, $value, self::bounded($ttl)),
        )->outcome();
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        $value = $this->written($key, $value);

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
                fn(Pipeline $calls, string $item, string $key) => $calls->set(
                    $item,
                    $this->written($key, $values[$key]),
                    $ttl,
                ),
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
                return $this->answer($key, MemcachedReplies::answerOf($item, ...$sent), $seconds);
            }
        }
        $answer = $this->call(
            $key,
            static fn(Pipeline $calls, string $item) => $calls->getOrLease($item, $seconds),
        )->answer();

        return $this->answer($key, $answer, $seconds);
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

    /**
     * As the client is to store it.
     *
     * @throws UnstorableValue
     */
    private function written(string $key, mixed $value): mixed
    {
        return $this->sealed === null ? $value : $this->sealed->written($key, $value);
    }

    /** Null: a miss. */
    private function opened(SealedValues $sealed, string $key, mixed $stored): ?StoredBytes
    {
        return $sealed->read($key, $stored, fn(): string => $this->items->server($key));
    }

    /**
     * An answer, opened.
     *
     * @param float|null $seconds of a lease, where a miss is to have one
     */
    private function answer(string $key, Answer $answer, ?float $seconds = null): Answer
    {
        if ($this->sealed === null || !$answer->hit) {
            return $answer;
        }
        $read = $this->opened($this->sealed, $key, $answer->value);
        if ($read !== null) {
            return new Answer(true, $read->value, $answer->version, $answer->stale, $answer->lease);
        }

        // A value that cannot be read has to be made anew.
        return new Answer(lease: $answer->lease ?? ($seconds === null ? null : $this->lease($key, $seconds)));
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
