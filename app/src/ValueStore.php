<?php

declare(strict_types=1);

namespace App;

use Larder\Metrics\Counters;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\Confirming;
use Larder\Store\MemcachedStore;
use Larder\Store\NullStore;
use Larder\Store\RedisStore;
use Larder\Store\SharedMemoryStore;
use Larder\Store\TieredStore;
use Psr\Log\LoggerInterface;
use UnexpectedValueException;

/** The store of a setting such as `memory` or `redis:127.0.0.1:6379`; see Configuration. A PHP without the extension has no memory to share. */
final readonly class ValueStore
{
    /**
     * @param string $namespace what other sites on the same servers do not have
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

        return match ($kind) {
            'none' => new NullStore(),
            'memory' => class_exists(SharedMemory::class, false) ? SharedMemoryStore::on($this->namespace, $this->log) : new NullStore(),
            'memcached' => MemcachedStore::on(self::servers($rest), $this->namespace, $this->log, $this->timeout, $this->counters),
            'redis' => RedisStore::on(self::servers($rest), $this->namespace, $this->log, $this->timeout, counters: $this->counters),
            'tiered' => $this->tiered($this->of($rest)),
            default => throw new UnexpectedValueException(\sprintf('APP_STORE: there is no store "%s"', $setting)),
        };
    }

    private function tiered(Store $far): Store
    {
        return $far instanceof Confirming ? new TieredStore($this->of('memory'), $far, log: $this->log, counters: $this->counters) : $far;
    }

    /** @return non-empty-list<string> */
    private static function servers(string $list): array
    {
        return explode(',', $list);
    }
}
