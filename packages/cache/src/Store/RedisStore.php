<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Answer;
use Larder\Exception\InvalidServer;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Sealing\SealedValues;
use Predis\ClientInterface;
use Psr\Log\LoggerInterface;
use Redis;
use ValueError;

/**
 * A namespace of keys on Redis servers (6.0 or later; no Redis Cluster), by the PHP extension redis or by Predis. The
 * ring is that of Larder\Memcached, and everything about a key lies on its server, so a server that is gone takes its
 * own keys and no others.
 *
 * A read is one MGET, a write one script, so nothing is ever half done. A version is 63 random bits, so none is given
 * twice. A lease runs by the server's clock, and does not end with the process.
 *
 * A server that comes back with an older copy of its data (a snapshot after a crash, a replica in the place of its
 * primary) has nothing: values count only under the master_replid that they were written under, which each script asks
 * for, and a reader on each connection and again after a second. So the store is empty after each restart and failover,
 * with the first replica, and an hour after the last one: the log says it. An account needs +info for that. Nothing
 * shows SWAPDB, COPY, RESTORE and DEBUG RELOAD NOSAVE, after which clear() has to be called, nor a primary that was cut
 * off and not told. What nobody makes again, as sessions and counters, is for a store that `survives`.
 *
 * clear() removes one word on each server, which makes all earlier values invalid. Then it looks for these values until
 * its deadline, to give their memory back. Those that it does not find end by their ttl, by a later clear(), or by
 * Redis' eviction.
 *
 * A call ends at its deadline, connecting included, also with several servers, which are asked one after the other. The
 * look-up of a host's name is not bounded. With the extension redis (5.3) the deadline bounds each wait, and there is
 * none in the middle of a value: if a server stops or the network breaks there, as is likely with values of megabytes,
 * it waits. So Predis is taken where it is installed.
 *
 * A server that fails is not asked again for a while: reads miss (not answered), writes are Outcome::Refused where
 * nothing was sent and Outcome::Unknown where no reply came. A failure is counted, and logged if it is the first of its
 * kind and server in a minute; it is never thrown.
 */
final readonly class RedisStore implements BatchStore, Confirming, KnowsServers, MayGoBack
{
    /** In seconds: 3,000 years. A ttl from here on is without end. */
    private const LONGEST = 1e11;

    private const REPEATABLE = [OperationKind::Read, OperationKind::GetOrLease, OperationKind::Lease];

    private function __construct(
        private RedisNamespace $items,
        private RedisStamps $stamps,
        private RedisValues $values,
        private ?string $address,
        private bool $survives,
        private ?SealedValues $sealed,
    ) {}

    /**
     * The store on these servers; where there is no client for Redis, a NullStore, and one line in the log.
     *
     * @param string|non-empty-list<string>|non-empty-array<string, int> $servers "host", "host:port", "[::1]:6379",
     *     "unix:/path", "tls://host:port", each with "?db=1&user=site&password=word" if need be; a list of them, or
     *     weights (1 to 1000) by them
     * @param string                                                     $namespace  1 to 63 bytes
     * @param int                                                        $timeout    milliseconds for a call
     * @param int $retry milliseconds until a server that failed is asked again
     * @param Counters $counters of failures, by cause: `larder_store_failures_total`
     * @param 'phpredis'|'predis'|null $client null: Predis where it is installed, for its deadlines
     * @param 'php'|'igbinary'                                           $serializer what is written; both are read
     * @param bool $failover whether each read asks what the server is, for proxies and failovers that leave connections
     *     open: it takes some 10 microseconds more
     * @param bool $survives whether values are kept over restarts and failovers, and may be older then than they were:
     *     for sessions and counters. They lie apart from those of a store that does not, under the same namespace too
     * @param bool|list<string> $objects of which classes values may be, as Larder\Memcached has it
     * @param Seal|null $seal encrypts the values; null: they lie there as they are
     *
     * @throws InvalidServer
     * @throws ValueError    for another wrong option
     */
    public static function on(
        string|array $servers,
        string $namespace,
        ?LoggerInterface $log = null,
        int $timeout = 250,
        int $retry = 1000,
        Counters $counters = new NullCounters(),
        ?string $client = null,
        string $serializer = 'php',
        bool $failover = false,
        bool $survives = false,
        bool|array $objects = [],
        ?Seal $seal = null,
    ): Store {
        $connect = match (true) {
            $client !== 'phpredis' && class_exists(\Predis\Client::class) => RedisByPredis::to(...),
            $client !== 'predis' && \extension_loaded('redis') => RedisByExtension::to(...),
            default => null,
        };
        if ($connect === null) {
            $log?->warning(
                'Nothing is cached in Redis: there is no client for it. Load the PHP extension redis, or run: '
                    . 'composer require predis/predis.',
            );

            return new NullStore();
        }

        return self::of(
            RedisServers::weights($servers),
            $namespace,
            $timeout,
            $retry,
            new ReportedFailures($log, $counters, 'redis'),
            new RedisValues($serializer, Classes::of($objects)),
            self::binding($failover, $survives),
            static fn(RedisAddress $address): RedisConnection => $connect($address),
            $seal,
            serialize([RedisServers::weights($servers), $namespace, ...($survives ? ['survives'] : [])]),
        );
    }

    /**
     * The store on the application's own clients, with the timeouts, user and database that it gave them. The
     * application may go on using a client, but a call of the store must not come in the middle of a MULTI or a
     * pipeline, nor of a subscription, and it must not select another database.
     *
     * A client of phpredis may connect anew within a call, so each read of it is a script. It gives a connection up
     * after a try that failed, until its connect() is called; the store goes on by a connection of its own to where the
     * client was connected. That is not possible where connect() was given a context.
     *
     * @param non-empty-array<string, Redis|ClientInterface> $clients by server, as on() takes it, which names it in the
     *     ring and in the log
     * @param bool|list<string> $objects
     *
     * @see self::on() for the others
     *
     * @throws InvalidServer
     * @throws ValueError
     */
    public static function with(
        array $clients,
        string $namespace,
        ?LoggerInterface $log = null,
        int $timeout = 250,
        int $retry = 1000,
        Counters $counters = new NullCounters(),
        string $serializer = 'php',
        bool $failover = false,
        bool $survives = false,
        bool|array $objects = [],
        ?Seal $seal = null,
    ): self {
        foreach (array_keys($clients) as $server) {
            if (str_contains($server, '?')) {
                throw InvalidServer::because(
                    \sprintf(
                        'The client of %s has its user and database already: name it without.',
                        RedisAddress::written($server)->name,
                    ),
                );
            }
        }

        return self::of(
            array_map(static fn(): int => 1, $clients),
            $namespace,
            $timeout,
            $retry,
            new ReportedFailures($log, $counters, 'redis'),
            new RedisValues($serializer, Classes::of($objects)),
            self::binding($failover, $survives),
            static fn(RedisAddress $address, string $server): RedisConnection => $clients[$server] instanceof Redis
                ? RedisByExtension::with($clients[$server])
                : RedisByPredis::with($clients[$server]),
            $seal,
        );
    }

    /** Null if the application gave its own clients, since these know their database. */
    public function address(): ?string
    {
        return $this->address;
    }

    /** @internal */
    public function classes(): Classes
    {
        return $this->values->classes;
    }

    public function mayGoBack(): bool
    {
        return $this->survives;
    }

    public function dropsInstead(): bool
    {
        return !$this->survives;
    }

    public function servers(): array
    {
        return $this->items->states();
    }

    public function get(string $key, mixed $default = null): mixed
    {
        $answer = $this->items->read($key);

        return $answer->hit ? $answer->value : $default;
    }

    public function read(string $key): Answer
    {
        return $this->items->read($key);
    }

    public function confirm(array $stamps, array $wanted): Confirmation
    {
        return $this->stamps->confirm($stamps, $wanted);
    }

    public function getMultiple(array $keys): array
    {
        return $this->items->values($keys);
    }

    public function batch(array $operations): array
    {
        $claimed = $this->claimed($operations);
        if ($claimed !== null) {
            return $claimed;
        }
        $calls = $refused = [];
        foreach ($operations as $name => $operation) {
            try {
                $calls[$name] = $this->call($operation);
            } catch (UnstorableValue $exception) {
                $refused[$name] = $exception;
            }
        }
        $replies = $this->items->run($calls, $this->areRepeatable($operations));
        $results = [];
        foreach ($operations as $name => $operation) {
            $results[$name] = $refused[$name]
                ?? $this->result($operation, $calls[$name] ?? [], $replies[$name] ?? null);
        }

        return $results;
    }

    public function has(string $key): bool
    {
        return $this->items->run([[$key, 'has']], true) === [1];
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        if ($lease !== null) {
            $written = $this->written($key, $value);

            return RedisNamespace::outcomeOf(
                $this->items->fill($key, self::life($ttl), $written, RedisValues::packed($lease)),
            );
        }

        return $this->done(Operation::set($key, $value, $ttl, $lease));
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->done(Operation::add($key, $value, $ttl));
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $calls = [[$key, 'replace', self::life($ttl), $this->written($key, $value)]];

        return RedisNamespace::outcomeOf($this->items->run($calls)[0]);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->done(Operation::cas($key, $value, $version, $ttl));
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        RedisKeys::check(...array_map(strval(...), array_keys($values)));
        $calls = $replies = [];
        try {
            foreach ($values as $key => $value) {
                $calls[$key] = $this->call(Operation::set((string) $key, $value, $ttl));
            }
        } finally {
            // Those before one that cannot be stored are stored.
            $replies = $this->items->run($calls);
        }

        return array_map(RedisNamespace::outcomeOf(...), $replies);
    }

    public function delete(string $key): Outcome
    {
        return $this->done(Operation::delete($key));
    }

    public function deleteMultiple(array $keys): array
    {
        return Operation::run($this, array_map(Operation::delete(...), array_combine($keys, $keys)));
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->done(Operation::touch($key, $ttl));
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->count($key, $initial, $ttl, $by);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        // The least integer has no positive counterpart to add.
        return $by === PHP_INT_MIN
            ? $this->count($key, $initial, $ttl, PHP_INT_MAX, 1)
            : $this->count($key, $initial, $ttl, -$by);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        return Operation::run($this, [Operation::getOrLease($key, $seconds)])[0];
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return Operation::run($this, [Operation::lease($key, $seconds)])[0]->lease;
    }

    public function release(string $key, int $lease): bool
    {
        return $this->batch([Operation::release($key, $lease)]) === [Outcome::Done];
    }

    public function clear(): Outcome
    {
        return $this->items->clear();
    }

    /**
     * The results of one getOrLease() with any number of reads: what a miss of a cache asks for.
     *
     * @param array<array-key, Operation<Answer|Outcome|UnstorableValue>> $operations
     *
     * @return array<array-key, Answer|Outcome>|null null: they are something else
     */
    private function claimed(array $operations): ?array
    {
        $first = $operations[array_key_first($operations) ?? 0] ?? null;
        if ($first === null || $first->kind !== OperationKind::GetOrLease) {
            return null;
        }
        $keys = [$first->key];
        foreach (\array_slice($operations, 1) as $operation) {
            if ($operation->kind !== OperationKind::Read) {
                return null;
            }
            $keys[] = $operation->key;
        }
        $call = $this->call($first);
        $replies = $this->items->claim($keys, $call[2] ?? '', $call[3] ?? '');
        if ($replies === null) {
            return null;
        }
        $results = [];
        foreach (array_keys($operations) as $number => $name) {
            $results[$name] = $this->result($operations[$name], $call, $replies[$number]);
        }

        return $results;
    }

    /**
     * Whether doing them twice is as doing them once: a lease is granted again to the token that has it.
     *
     * @param array<array-key, Operation<Answer|Outcome|UnstorableValue>> $operations
     */
    private function areRepeatable(array $operations): bool
    {
        foreach ($operations as $operation) {
            if (!\in_array($operation->kind, self::REPEATABLE, true)) {
                return false;
            }
        }

        return true;
    }

    /** @param Operation<Outcome|UnstorableValue> $operation */
    private function done(Operation $operation): Outcome
    {
        $outcome = Operation::run($this, [$operation])[0];

        return $outcome instanceof Outcome ? $outcome : throw $outcome;
    }

    /**
     * A new version and the value, sealed if it is to be.
     *
     * @throws UnstorableValue
     */
    private function written(string $key, mixed $value): string
    {
        $written = $this->values->written($value);

        return $this->sealed === null || $this->sealed->isOpen($key, $value)
            ? $written
            : $this->sealed->sealed($key, substr($written, 8), substr($written, 0, 8) . RedisValues::SEALED);
    }

    private function count(string $key, ?int $initial, ?float $ttl, int $step, int $more = 0): int|Outcome
    {
        $start = (string) $initial;
        $call = [$key, 'count', self::life($ttl), $start, RedisValues::number(), (string) $step, (string) $more];
        $reply = $this->items->run([$call])[0];

        return \is_string($reply) ? (int) $reply : RedisNamespace::outcomeOf($reply);
    }

    /**
     * @param Operation<Answer|Outcome|UnstorableValue> $operation
     *
     * @return non-empty-list<string> as RedisNamespace::run() takes it
     *
     * @throws UnstorableValue
     */
    private function call(Operation $operation): array
    {
        $key = $operation->key;
        $life = self::life($operation->seconds);
        $number = RedisValues::packed($operation->number ?? 0);

        return match ($operation->kind) {
            OperationKind::Read => [$key, 'value'],
            OperationKind::GetOrLease => [$key, 'valueOrLease', RedisValues::number(), self::term($operation->seconds)],
            OperationKind::Lease => [$key, 'lease', RedisValues::number(), self::term($operation->seconds)],
            OperationKind::Set => $operation->number === null
                ? [$key, 'put', $life, $this->written($key, $operation->value)]
                : [$key, 'fill', $life, $this->written($key, $operation->value), $number],
            OperationKind::Add => [$key, 'add', $life, $this->written($key, $operation->value)],
            OperationKind::Cas => [$key, 'cas', $life, $this->written($key, $operation->value), $number],
            OperationKind::Touch => [$key, 'touch', $life],
            OperationKind::Delete => [$key, 'delete'],
            OperationKind::Release => [$key, 'release', $number],
        };
    }

    /**
     * @param Operation<Answer|Outcome|UnstorableValue> $operation
     * @param list<string>                              $call      that was made of it
     */
    private function result(Operation $operation, array $call, mixed $reply): Answer|Outcome
    {
        if ($operation->kind === OperationKind::Lease || $operation->kind === OperationKind::GetOrLease) {
            if (\is_int($reply)) {
                return new Answer(lease: $reply === 1 ? RedisValues::unpacked($call[2]) : null);
            }
            $answer = $this->items->told($operation->key, $reply);

            // A value that cannot be read has to be made anew.
            return \is_string($reply) && !$answer->hit
                ? new Answer(lease: $this->lease($operation->key, $operation->seconds ?? 0.0))
                : $answer;
        }

        return $operation->kind === OperationKind::Read
            ? $this->items->told($operation->key, $reply)
            : RedisNamespace::outcomeOf($reply);
    }

    /** The ttl as the scripts take it, in milliseconds. */
    private static function life(?float $ttl): string
    {
        return match (true) {
            $ttl === null, $ttl >= self::LONGEST => '',
            $ttl > 0 => (string) (int) ceil($ttl * 1000),
            default => '0',
        };
    }

    /** The same for a lease, which always ends. */
    private static function term(?float $seconds): string
    {
        return self::life(min(self::LONGEST / 100, max(0.001, $seconds ?? 0.0)));
    }

    /**
     * @param array<array-key, int>                          $weights by server
     * @param Closure(RedisAddress, string): RedisConnection $connect
     */
    private static function of(
        array $weights,
        string $namespace,
        int $timeout,
        int $retry,
        ReportedFailures $failures,
        RedisValues $values,
        RedisBinding $binding,
        Closure $connect,
        ?Seal $seal,
        ?string $address = null,
    ): self {
        $survives = $binding === RedisBinding::None;
        $keys = new RedisKeys($namespace, $survives);
        $servers = RedisServers::written($weights, $timeout, $retry, $failures, $binding, $connect);

        $sealed = $seal === null
            ? null
            : new SealedValues($seal, 'redis', $keys->prefix, $failures, $values->classes);
        $items = new RedisNamespace($keys, $servers, $values, $sealed);

        return new self($items, new RedisStamps($items), $values, $address, $survives, $sealed);
    }

    private static function binding(bool $failover, bool $survives): RedisBinding
    {
        return match (true) {
            $survives => RedisBinding::None,
            $failover => RedisBinding::Request,
            default => RedisBinding::Connection,
        };
    }
}
