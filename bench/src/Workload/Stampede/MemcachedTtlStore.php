<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Memcached\ExtMemcached;
use Larder\Testbed\Server\Endpoint;
use Memcached;

/** ext-memcached with the options of the subject `memcached-tuned`. */
final class MemcachedTtlStore implements TtlStore
{
    private Memcached $client;

    public function connect(Context $context): void
    {
        $this->client = new Memcached();
        $this->client->setOptions(ExtMemcached::tunedOptions($context->timeout));
        $this->client->addServers(
            array_map(static fn(Endpoint $server): array => [$server->host, $server->port], $context->endpoints),
        );
        $this->client->getVersion();
        $this->must('version', '', [Memcached::RES_SUCCESS]);
    }

    public function get(string $key): mixed
    {
        $value = $this->client->get($key);

        return $this->must('get', $key, [Memcached::RES_SUCCESS, Memcached::RES_NOTFOUND]) === Memcached::RES_SUCCESS
            ? $value
            : null;
    }

    public function set(string $key, mixed $value, float $ttl): void
    {
        $this->client->set($key, $value, (int) ceil($ttl));
        $this->must('set', $key, [Memcached::RES_SUCCESS]);
    }

    public function add(string $key, mixed $value, float $ttl): bool
    {
        $this->client->add($key, $value, (int) ceil($ttl));

        return $this->must('add', $key, [Memcached::RES_SUCCESS, Memcached::RES_NOTSTORED]) === Memcached::RES_SUCCESS;
    }

    public function delete(string $key): void
    {
        $this->client->delete($key);
        $this->must('delete', $key, [Memcached::RES_SUCCESS, Memcached::RES_NOTFOUND]);
    }

    /** @param list<int> $codes */
    private function must(string $call, string $key, array $codes): int
    {
        $code = $this->client->getResultCode();

        return \in_array($code, $codes, true)
            ? $code
            : throw Failed::during($call, $key, $this->client->getResultMessage());
    }
}
