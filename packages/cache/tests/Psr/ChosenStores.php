<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Store\MemcachedServers;
use LogicException;

/**
 * Stores for the conformance tests, of the kind that LARDER_TEST_STORE names: array (the default), shared, memcached,
 * phpredis, predis.
 */
final class ChosenStores
{
    private readonly string $kind;

    private ?MemcachedServers $memcached = null;

    private ?Redis $redis = null;

    private ?TemporaryDirectory $directory = null;

    public function __construct()
    {
        $kind = getenv('LARDER_TEST_STORE');
        $this->kind = \is_string($kind) && $kind !== '' ? $kind : 'array';
    }

    /** A store with a new namespace. */
    public function store(): Store
    {
        $namespace = 'n' . bin2hex(random_bytes(6));

        return match ($this->kind) {
            'array' => new ArrayStore(),
            'shared' => new SharedMemory($namespace),
            'memcached' => new MemcachedStore($namespace, $this->memcached()),
            'phpredis', 'predis' => RedisStore::on(
                $this->redis(),
                $namespace,
                timeout: 20_000,
                client: $this->kind,
                objects: true,
            ),
            default => throw new LogicException('LARDER_TEST_STORE cannot be ' . $this->kind),
        };
    }

    public function stop(): void
    {
        $this->memcached?->stop();
        $this->redis?->stop();
        $this->directory?->remove();
        $this->memcached = $this->redis = $this->directory = null;
    }

    private function memcached(): Memcached
    {
        $this->memcached ??= new MemcachedServers(1);

        return $this->memcached->client(timeout: 20_000, objects: true);
    }

    private function redis(): string
    {
        $this->directory ??= new TemporaryDirectory();
        $this->redis ??= new Redis($this->directory->path . '/redis');

        return '127.0.0.1:' . $this->redis->endpoint()->port;
    }
}
