<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use InvalidArgumentException;
use Larder\Answer;
use Larder\Exception\InvalidServer;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Outcome;
use Larder\Store;
use Predis\ClientInterface;
use Psr\Log\LoggerInterface;
use Redis;
use Throwable;
use ValueError;

/**
 * A namespace of keys on Redis servers (6.0 or later; no Redis Cluster), by the PHP extension redis or by Predis. The ring is that of
 * Larder\Memcached, and whatever concerns a key lies on its server: one that is gone takes its own keys and no others.
 *
 * A read is one MGET, a write one script, so nothing is ever half done. A version is 63 random bits: none comes again, after a restart, a
 * flush or an eviction either. A lease runs by the server's clock, and does not end with the process: it runs out.
 *
 * clear() removes one word on each server, without which no value of before counts; then it looks for these values, as long as its
 * deadline lets it, to give their memory back. What it does not find ends by its ttl, by a later clear(), or as Redis evicts.
 *
 * A call ends at its deadline, connecting included, and with several servers, which are asked one after the other. Not in it are the look-up
 * of a host's name, and with the extension redis the time that a server takes by sending a reply bit by bit. A server that fails is not
 * asked again for a while: reads miss (not answered), writes are Outcome::Refused where nothing was sent and Outcome::Unknown where no
 * reply came. A failure is counted, and logged if it is the first of its kind and server; it is never thrown.
 */
final readonly class RedisStore implements Store
{
    /** In seconds: 3,000 years. A ttl from here on is without end. */
    private const LONGEST = 1e11;

    private function __construct(
        private RedisServers $servers,
        private RedisKeys $keys,
        private RedisValues $values,
    ) {}

    /**
     * The store on these servers; where there is no client for Redis, a NullStore, and the log says so once.
     *
     * @param string|non-empty-list<string>|non-empty-array<string, int> $servers    "host", "host:port", "[::1]:6379", "unix:/path", "tls://host:port", each with
     *                                                                               "?db=1&user=site&password=word" if need be; a list of them, or weights (1 to 1000) by them
     * @param string                                                     $namespace  1 to 63 bytes
     * @param int                                                        $timeout    milliseconds for a call
     * @param int                                                        $retry      milliseconds until a server that failed is asked again
     * @param Counters                                                   $counters   of failures, by kind: redis_timed_out_total and so on
     * @param 'phpredis'|'predis'|null                                   $client     null: phpredis where it is loaded
     * @param 'php'|'igbinary'                                           $serializer what is written; both are read
     *
     * @throws InvalidServer
     * @throws ValueError    for another option that cannot be
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
    ): Store {
        $connect = match (true) {
            $client !== 'predis' && \extension_loaded('redis') => RedisByExtension::to(...),
            $client !== 'phpredis' && class_exists(\Predis\Client::class) => RedisByPredis::to(...),
            default => null,
        };
        if (!\in_array($client, ['phpredis', 'predis', null], true)) {
            throw new ValueError('A client is "phpredis" or "predis"');
        }
        if ($connect === null) {
            $log?->warning('Nothing is cached in Redis: there is no client for it. Load the PHP extension redis, or run: composer require predis/predis.');

            return new NullStore();
        }
        $weights = \is_string($servers) ? [$servers => 1] : (array_is_list($servers) ? array_fill_keys($servers, 1) : $servers);

        return self::of($weights, $namespace, $timeout, $retry, new ReportedFailures($log, $counters, 'redis'), $serializer, static fn(RedisAddress $address): RedisConnection => $connect($address));
    }

    /**
     * The store by clients that the application has: their timeouts, user and database are those that it gave them. A client is used with others
     * in turn, and never while it is in the middle of a MULTI or a pipeline.
     *
     * @param non-empty-array<string, Redis|ClientInterface> $clients by server, as on() takes it, which names it in the ring and in the log
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
    ): self {
        return self::of(
            array_map(static fn(): int => 1, $clients),
            $namespace,
            $timeout,
            $retry,
            new ReportedFailures($log, $counters, 'redis'),
            $serializer,
            static fn(RedisAddress $address, string $server): RedisConnection => $clients[$server] instanceof Redis ? RedisByExtension::with($clients[$server]) : RedisByPredis::with($clients[$server]),
        );
    }

