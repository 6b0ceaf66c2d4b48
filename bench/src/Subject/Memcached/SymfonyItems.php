<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Cached\Failures;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\ManyKeys;
use Larder\Testbed\Server\Endpoint;
use Memcached;
use Symfony\Component\Cache\Adapter\MemcachedAdapter;
use Symfony\Component\Cache\CacheItem;

/** symfony/cache's MemcachedAdapter by items, with the connection that it makes itself: getItems(), commit(). */
final class SymfonyItems implements ManyKeys
{
    private MemcachedAdapter $pool;
    private Memcached $client;
    private Failures $failures;

    /** @var array<string, string> names that it takes, of keys that have characters which it reserves */
    private array $names = [];

    /** @var array<string, string> the other way */
    private array $keys = [];

    /** @var array<string, CacheItem> asked for once, so that what is set is not also read */
    private array $items = [];

    /** @param bool $larder that Larder's module memcached is the one to be measured */
    public function __construct(private readonly bool $larder = false) {}

    public function connect(Context $context): void
    {
        if (\defined('Memcached::LARDER') !== $this->larder) {
            throw Failed::connecting('memcached', $this->larder ? 'not Larder\'s module' : 'Larder\'s module');
        }
        $this->client = MemcachedAdapter::createConnection(array_map(
            static fn(Endpoint $server): string => \sprintf('memcached://%s:%d', $server->host, $server->port),
            $context->endpoints,
        ));
        $versions = @$this->client->getVersion();
        // 255.255.255 is what it says of a server that it could not ask.
        if (
            $this->client->getResultCode() !== Memcached::RES_SUCCESS || \in_array('255.255.255', $versions, true)
        ) {
            throw Failed::connecting('memcached', $this->client->getResultMessage());
        }
        $this->pool = new MemcachedAdapter($this->client, 'symfony');
        $this->pool->setLogger($this->failures = new Failures());
    }

    public function close(): void
    {
        $this->client->quit();
    }

    public function get(string $key): ?string
    {
        return $this->getMany([$key])[$key] ?? null;
    }

    public function set(string $key, string $value): void
    {
        $this->setMany([$key => $value]);
    }

    public function delete(string $key): void
    {
        $this->deleteMany([$key]);
    }

    public function getMany(array $keys): array
    {
        $values = [];
        foreach ($this->pool->getItems(array_map($this->name(...), $keys)) as $name => $item) {
            $value = $item->get();
            if ($item->isHit() && \is_string($value)) {
                $values[$this->keys[$name]] = $value;
            }
        }
        $this->failures->mustBeNone('getItems', $keys[0]);

        return $values;
    }

    public function setMany(array $values): void
    {
        foreach ($values as $key => $value) {
            $key = (string) $key;
            $item = $this->items[$key] ??= $this->pool->getItem($this->name($key));
            $this->pool->saveDeferred($item->set($value));
        }
        $stored = $this->pool->commit();
        $this->failures->mustBeNone('commit', (string) array_key_first($values));
        if (!$stored) {
            throw Failed::during('commit', (string) array_key_first($values), 'refused');
        }
    }

    public function deleteMany(array $keys): void
    {
        $deleted = $this->pool->deleteItems(array_map($this->name(...), $keys));
        $this->failures->mustBeNone('deleteItems', $keys[0]);
        if (!$deleted) {
            throw Failed::during('deleteItems', $keys[0], 'refused');
        }
    }

    private function name(string $key): string
    {
        $name = $this->names[$key] ??= rawurlencode($key);
        $this->keys[$name] = $key;

        return $name;
    }
}
