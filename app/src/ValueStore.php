<?php

declare(strict_types=1);

namespace App;

use Larder\Metrics\Counters;
use Larder\{SharedMemory, Store};
use Larder\Store\{Confirming, MemcachedStore, NullStore, RedisStore, SharedMemoryStore, TieredStore};
use Psr\Log\LoggerInterface;
use UnexpectedValueException;

/**
 * Makes the store that a setting names: `memory`, `memcached:HOST:PORT`, `redis:HOST:PORT` (more servers after
 * commas), `tiered:memcached:HOST:PORT` (memory before memcached) or `none`.
 */
final readonly class ValueStore
{
    /**
     * @param string $namespace differs between the sites on the same servers
     * @param int    $timeout   milliseconds
     */
    public function __construct(
        private string $namespace,
        private int $timeout,
        private LoggerInterface $log,
        private Counters $counters,
    ) {}

    public function of(string $setting): Store
    {
        [$kind, $rest] = explode(':', $setting, 2) + [1 => ''];
        $servers = explode(',', $rest);
        $log = $this->log;

        return match ($kind) {
            'none' => new NullStore(),
            'memory' => $this->memory(),
            'memcached' => MemcachedStore::on($servers, $this->namespace, $log, $this->timeout, $this->counters),
            'redis' => RedisStore::on($servers, $this->namespace, $log, $this->timeout, counters: $this->counters),
            'tiered' => $this->tiered($this->of($rest)),
            default => throw new UnexpectedValueException(\sprintf('APP_STORE: there is no store "%s"', $setting)),
        };
    }

    private function tiered(Store $far): Store
    {
        return $far instanceof Confirming
            ? new TieredStore($this->memory(), $far, log: $this->log, counters: $this->counters)
            : $far;
    }

    /** A PHP without the extension has no memory to share. */
    private function memory(): Store
    {
        return class_exists(SharedMemory::class, false)
            ? SharedMemoryStore::on($this->namespace, $this->log)
            : new NullStore();
    }
}
