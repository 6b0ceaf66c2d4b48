<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Memcached\ExtMemcached;
use Larder\Bench\Subject\Redis\Phpredis;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Testbed\Server\Endpoint;
use Memcached;
use Redis;

/**
 * The calls of a TtlStore by the client that applications use for the store: the shared memory of Larder, ext-memcached
 * with the options of the subject `memcached-tuned`, or phpredis with the serializer of PHP.
 */
final class ClientTtlStore implements TtlStore
{
    private SharedMemory|Memcached|Redis $client;

    /** @param 'memory'|'memcached'|'redis' $store */
    public function __construct(private readonly string $store) {}

    public function connect(Context $context): void
    {
        $this->client = match ($this->store) {
            'memory' => new SharedMemory(),
            'memcached' => self::memcached($context),
            'redis' => self::redis($context),
        };
    }

    public function get(string $key): mixed
    {
        $client = $this->client;
        $value = $client->get($key);
        if ($client instanceof Memcached) {
            return self::must($client, 'get', $key, Memcached::RES_NOTFOUND) ? $value : null;
        }

        return $client instanceof Redis && $value === false ? null : $value;
    }

    public function set(string $key, mixed $value, float $ttl): void
    {
        $client = $this->client;
        if ($client instanceof Memcached) {
            $client->set($key, $value, (int) ceil($ttl));
            self::must($client, 'set', $key);

            return;
        }
        $stored = $client instanceof Redis
            ? $client->set($key, $value, ['px' => (int) ceil($ttl * 1000)]) === true
            : $client->set($key, $value, $ttl) === Outcome::Done;
        if (!$stored) {
            throw Failed::during('set', $key, 'refused');
        }
    }

    public function add(string $key, mixed $value, float $ttl): bool
    {
        $client = $this->client;
        if ($client instanceof Memcached) {
            $client->add($key, $value, (int) ceil($ttl));

            return self::must($client, 'add', $key, Memcached::RES_NOTSTORED);
        }
        if ($client instanceof Redis) {
            return $client->set($key, $value, ['nx', 'px' => (int) ceil($ttl * 1000)]) === true;
        }

        return match ($client->add($key, $value, $ttl)) {
            Outcome::Done => true,
            Outcome::Exists => false,
            default => throw Failed::during('add', $key, 'refused'),
        };
    }

    public function delete(string $key): void
    {
        $client = $this->client;
        if ($client instanceof Redis) {
            $client->del($key);

            return;
        }
        $client->delete($key);
        if ($client instanceof Memcached) {
            self::must($client, 'delete', $key, Memcached::RES_NOTFOUND);
        }
    }

    private static function memcached(Context $context): Memcached
    {
        $client = new Memcached();
        $client->setOptions(ExtMemcached::tunedOptions($context->timeout));
        $client->addServers(
            array_map(static fn(Endpoint $server): array => [$server->host, $server->port], $context->endpoints),
        );
        $client->getVersion();
        self::must($client, 'version', '');

        return $client;
    }

    private static function redis(Context $context): Redis
    {
        $client = Phpredis::open(
            $context->endpoints[0] ?? throw Failed::connecting('Redis', 'no server is there'),
            $context->timeout,
        );
        $client->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);

        return $client;
    }

    /**
     * @param int $otherwise a result code that is no failure either
     *
     * @return bool true: the call succeeded; false: it had the other code
     */
    private static function must(
        Memcached $client,
        string $call,
        string $key,
        int $otherwise = Memcached::RES_SUCCESS,
    ): bool {
        $code = $client->getResultCode();

        return $code === Memcached::RES_SUCCESS || $code === $otherwise
            ? $code === Memcached::RES_SUCCESS
            : throw Failed::during($call, $key, $client->getResultMessage());
    }
}
