<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Cached;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Redis\Phpredis;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Tagged;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Store\Seal;
use Larder\Store\TieredStore;
use Larder\Testbed\Server\Endpoint;
use Psr\Log\LogLevel;

/** Larder\Cache. */
final class LarderCache implements KeyValue, MemoryReporting, Remembering, Objects, Tagged
{
    private const NAMESPACE = 'bench';

    /** Seconds; longer than any run of the bench. */
    private const LONG = 86_400.0;

    private Cache $cache;
    private Failures $failures;

    /** The store, where that is the client itself, which counts for nobody. */
    private ?Memcached $client = null;

    private Context $context;

    /**
     * @param list<string> $reads what the values of setObject() are made from
     * @param float        $early see Settings
     * @param 'xchacha20-poly1305'|'aes-256-gcm'|null $cipher of a seal; null: values are not sealed
     */
    public function __construct(
        private readonly StoreKind $kind,
        private readonly array $reads = [],
        private readonly float $early = 1.0,
        private readonly ?string $cipher = null,
    ) {}

    public function connect(Context $context): void
    {
        $this->context = $context;
        $this->failures = new Failures();
        $store = $this->store($context);
        $this->cache = new Cache(
            $store,
            // What it keeps is computed, and comes out of no transaction.
            new Gates($store, inTransaction: static fn(): bool => false),
            settings: new Settings(early: $this->early),
            counters: $this->failures,
        );
    }

    public function close(): void
    {
        // The store's connections end with it.
        unset($this->cache);
        $this->client = null;
    }

    public function get(string $key): ?string
    {
        $value = $this->getObject($key);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->setObject($key, $value);
    }

    public function delete(string $key): void
    {
        if (!$this->cache->delete($key)) {
            throw Failed::during('delete', $key, 'no answer');
        }
    }

    /** By remember() where it has dependencies: set() has none. */
    public function setObject(string $key, mixed $value): void
    {
        if ($this->reads !== []) {
            $this->delete($key);
            $this->cache->remember($key, static fn(): mixed => $value, self::LONG, reads: $this->reads);
            if (!$this->cache->fetch($key)) {
                throw Failed::during('remember', $key, 'not stored');
            }
        } elseif (!$this->cache->set($key, $value, self::LONG)) {
            throw Failed::during('set', $key, 'not stored');
        }
        $this->mustNotHaveFailed('set', $key);
    }

    public function getObject(string $key): mixed
    {
        $value = $this->cache->get($key);
        $this->mustNotHaveFailed('get', $key);

        return $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $cache = $this->cache;
        $reads = $this->reads;
        $value = null;
        if ($reads === []) {
            for ($time = 0; $time < $times; ++$time) {
                $value = $cache->remember(
                    $key,
                    static fn(): never => throw Failed::during('remember', $key, 'not there'),
                    self::LONG,
                );
            }
        } else {
            for ($time = 0; $time < $times; ++$time) {
                $value = $cache->remember(
                    $key,
                    static fn(): never => throw Failed::during('remember', $key, 'not there'),
                    self::LONG,
                    reads: $reads,
                );
            }
        }
        $this->mustNotHaveFailed('remember', $key);

        return $value;
    }

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $value = $this->cache->remember(
            $key,
            $compute,
            $freshness->life - $freshness->window,
            $freshness->window,
            $this->reads,
            $freshness->lease,
        );
        $this->mustNotHaveFailed('remember', $key);

        return $value;
    }

    public function forget(string $key): void
    {
        $this->delete($key);
    }

    public function tagged(string $key, Closure $compute, array $tags): mixed
    {
        $value = $this->cache->remember($key, $compute, self::LONG, reads: self::names($tags));
        $this->mustNotHaveFailed('remember', $key);

        return $value;
    }

    public function change(array $tags, Closure $write): void
    {
        $this->cache->change(self::names($tags), $write);
        $this->mustNotHaveFailed('change', (string) $tags[0]);
    }

    public function usage(): MemoryUsage
    {
        return new MemoryUsage($this->kind->bytes($this->context));
    }

    /**
     * @param list<int> $tags
     *
     * @return list<string>
     */
    private static function names(array $tags): array
    {
        return array_map(static fn(int $tag): string => 'tag:' . $tag, $tags);
    }

    private function mustNotHaveFailed(string $call, string $key): void
    {
        foreach ($this->client?->failures() ?? [] as $failure) {
            $this->failures->log(LogLevel::WARNING, $failure->message);
        }
        $this->failures->mustBeNone($call, $key);
    }

    private function store(Context $context): Store
    {
        return match ($this->kind) {
            StoreKind::Memory => new SharedMemory(),
            StoreKind::Memcached => $this->memcached($context),
            StoreKind::MemcachedClient => $this->client = self::client($context),
            StoreKind::Redis => $this->redis($context),
            // The near store has its own namespace: it may hold nothing but what the far store has.
            StoreKind::Tiered => new TieredStore(
                new SharedMemory('near'),
                $this->memcached($context),
                counters: $this->failures,
            ),
            StoreKind::Apcu, StoreKind::Files => throw Failed::connecting($this->kind->value, 'there is no such store'),
        };
    }

    private function memcached(Context $context): MemcachedStore
    {
        $seal = $this->seal();
        $client = self::client($context, $seal === null ? 'php' : 'none');

        return new MemcachedStore(self::NAMESPACE, $client, counters: $this->failures, seal: $seal);
    }

    /** The same in all processes. */
    private function seal(): ?Seal
    {
        return $this->cipher === null ? null : new Seal(base64_encode(str_repeat('b', 32)), $this->cipher);
    }

    private static function client(Context $context, string $serializer = 'php'): Memcached
    {
        $servers = array_map(
            static fn(Endpoint $server): string => $server->host . ':' . $server->port,
            $context->endpoints,
        );
        $client = new Memcached(
            $servers,
            timeout: (int) ($context->timeout * 1000),
            serializer: $serializer,
            shared: false,
        );
        if (\in_array(null, $client->version(), true)) {
            throw Failed::connecting('memcached', $client->failures()[0]->message ?? 'no answer');
        }

        return $client;
    }

    private function redis(Context $context): RedisStore
    {
        $clients = [];
        foreach ($context->endpoints as $server) {
            $clients[$server->host . ':' . $server->port] = Phpredis::open($server, $context->timeout);
        }

        return RedisStore::with(
            $clients === [] ? throw Failed::connecting('Redis', 'no server is there') : $clients,
            self::NAMESPACE,
            retry: 1,
            counters: $this->failures,
            seal: $this->seal(),
        );
    }
}
