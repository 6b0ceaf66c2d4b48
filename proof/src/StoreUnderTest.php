<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Memcached;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;
use Larder\Testbed\Server\Memcached as MemcachedServer;
use Larder\Testbed\Server\Redis as RedisServer;
use Predis\Client;
use Redis;
use RedisException;
use RuntimeException;

/** A store that a program torments, and the server that it starts for that. */
final class StoreUnderTest
{
    /** Kinds that are one store; "tiers" is shared memory before memcached. */
    public const KINDS = ['memory', 'memcached', 'redis'];

    /** Redis with snapshots, by a client of the store or of the application. */
    public const SAVED = ['saved-on-phpredis', 'saved-on-predis', 'saved-with-phpredis', 'saved-with-predis'];

    private const CONNECTIONS = 2048;
    private const MEGABYTES = 128;

    private MemcachedServer|RedisServer|null $server = null;
    private string $socket = '';

    /** When the last snapshot was made, by hrtime(true). */
    private int $saved = 0;

    /**
     * @param string $kind    one of KINDS or SAVED, or "tiers"
     * @param int    $timeout milliseconds
     * @param int    $retry   milliseconds until a server that failed is asked again
     * @param float  $lag     seconds that the near tier may lag behind
     * @param bool   $isBound whether what a Redis with snapshots had before it was killed counts for nothing
     */
    public function __construct(
        private readonly string $kind,
        private readonly string $directory,
        private readonly string $namespace,
        private readonly int $timeout,
        private readonly int $retry = 1000,
        private readonly float $lag = 0.0,
        private readonly bool $isBound = true,
    ) {}

    public function start(): void
    {
        $this->server = match ($this->kind) {
            'memory' => null,
            'redis',
            'saved-on-phpredis',
            'saved-on-predis',
            'saved-with-phpredis',
            'saved-with-predis' => new RedisServer(
                $this->directory,
                megabytes: self::MEGABYTES,
                connections: self::CONNECTIONS,
            ),
            default => new MemcachedServer(
                $this->directory,
                socket: true,
                megabytes: self::MEGABYTES,
                connections: self::CONNECTIONS,
            ),
        };
        $this->socket = 'unix:' . $this->server?->endpoint()->socket;
    }

    /**
     * For one process: a fork cannot share its parent's connection.
     *
     * @param int      $host     one of two hosts, each with a near store of its own
     * @param Counters $counters is told why a server gave no answer
     */
    public function open(int $host = 0, Counters $counters = new NullCounters()): Store
    {
        return match ($this->kind) {
            'memory' => new SharedMemory($this->namespace),
            'redis' => RedisStore::on(
                $this->socket,
                $this->namespace,
                timeout: $this->timeout,
                retry: $this->retry,
                counters: $counters,
            ),
            'saved-on-phpredis', 'saved-on-predis' => $this->bound(RedisStore::on(
                $this->socket,
                $this->namespace,
                timeout: $this->timeout,
                retry: $this->retry,
                counters: $counters,
                client: $this->kind === 'saved-on-predis' ? 'predis' : 'phpredis',
                survives: !$this->isBound,
            )),
            'saved-with-phpredis', 'saved-with-predis' => $this->bound(RedisStore::with(
                ['server:1' => $this->client()],
                $this->namespace,
                timeout: $this->timeout,
                retry: $this->retry,
                counters: $counters,
                survives: !$this->isBound,
            )),
            'memcached' => $this->memcached($counters),
            default => new TieredStore(new SharedMemory('near' . $host), $this->memcached($counters), $this->lag),
        };
    }

    /**
     * Seconds that a value may be gone before its end: memcached counts in ticks of a second, and on a busy machine the
     * tick before the value came late.
     */
    public static function earliness(string $kind): float
    {
        return $kind === 'memcached' ? 2.0 : 0.0;
    }

    /** Bytes in the store, as the store counts them. */
    public function bytes(): int
    {
        if ($this->kind === 'memory') {
            $info = (new SharedMemory($this->namespace))->info();

            return array_sum(array_filter([$info['bytesUsed'] ?? 0, $info['bytesLimbo'] ?? 0], is_int(...)));
        }
        if ($this->kind === 'memcached') {
            $stats = (new Memcached($this->socket, timeout: $this->timeout))->stats();

            return (int) (array_values($stats)[0]['bytes'] ?? 0);
        }
        $stream = stream_socket_client(str_replace(':', '://', $this->socket), timeout: 5.0);
        if ($stream === false || fwrite($stream, "INFO memory\r\nQUIT\r\n") === false) {
            throw new RuntimeException('Redis does not answer.');
        }
        preg_match('/^used_memory:(\d+)/m', (string) stream_get_contents($stream), $found);

        return (int) ($found[1] ?? 0);
    }

    /**
     * Kills the server and starts it again, empty, at the same socket.
     *
     * @param int $down microseconds that it is gone
     *
     * @return bool false: there is no server
     */
    public function restart(int $down = 0): bool
    {
        $this->server?->kill();
        usleep($this->server === null ? 0 : $down);
        $this->server?->start();

        return $this->server !== null;
    }

    /**
     * Lets Redis write a snapshot of what it has.
     *
     * @param float $pause seconds since the last one, before which nothing is done
     */
    public function save(float $pause): void
    {
        if (hrtime(true) < $this->saved + (int) ($pause * 1e9)) {
            return;
        }
        $this->saved = hrtime(true);
        $stream = @stream_socket_client(str_replace(':', '://', $this->socket), timeout: 5.0);
        if ($stream !== false && fwrite($stream, "SAVE\r\nQUIT\r\n") !== false) {
            stream_get_contents($stream);
        }
    }

    /** It does not come back until restart(). */
    public function kill(): void
    {
        $this->server?->kill();
    }

    public function stop(): void
    {
        $this->server?->stop();
        $this->server = null;
    }

    /** Gates do not take a store that says that it may go back, so one without that guard does not say it. */
    private function bound(Store $store): Store
    {
        return $this->isBound ? $store : new UnguardedStore($store, MissingGuard::Identity);
    }

    private function client(): Redis|Client
    {
        $path = substr($this->socket, \strlen('unix:'));
        if ($this->kind === 'saved-with-predis') {
            return new Client(['scheme' => 'unix', 'path' => $path]);
        }
        $redis = new Redis();
        // A process may begin while the server is away.
        for ($try = 0; $try < 100; ++$try) {
            try {
                if (@$redis->connect($path)) {
                    break;
                }
            } catch (RedisException) {
                usleep(20_000);
            }
        }

        return $redis;
    }

    private function memcached(Counters $counters): MemcachedStore
    {
        $client = new Memcached($this->socket, timeout: $this->timeout, retry: $this->retry, shared: false);

        return new MemcachedStore($this->namespace, $client, counters: $counters);
    }
}
