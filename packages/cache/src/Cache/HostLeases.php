<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Lease\LocalLease;
use Larder\Lease\LocalMarks;
use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\Classes;
use Larder\Store\MemcachedStore;
use Larder\Store\OnServers;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;

/**
 * The leases of this host that stand in for those of a store, for all processes that have the same values.
 *
 * @internal
 */
final readonly class HostLeases
{
    public function __construct(private Store $store) {}

    /** @return LocalLease|null null: there is no place for it, or it cannot be told who has the same values */
    public function of(string $storeKey): ?LocalLease
    {
        $address = $this->address();

        return $address === null ? null : LocalLease::named($address . "\0" . $storeKey);
    }

    public function marks(): ?LocalMarks
    {
        $address = $this->address();

        return $address === null ? null : LocalMarks::named($address);
    }

    /** Of which classes the values may be that a process of this host leaves for the others. */
    public function classes(): Classes
    {
        return match (true) {
            $this->store instanceof MemcachedStore,
            $this->store instanceof RedisStore,
            $this->store instanceof TieredStore => $this->store->classes(),
            $this->store instanceof Memcached => Classes::ofClient($this->store),
            default => Classes::of(true),
        };
    }

    /** @return string|null which values the store has; null: that cannot be told */
    private function address(): ?string
    {
        $store = $this->store;
        if ($store instanceof OnServers) {
            return $store->address();
        }
        if ($store instanceof Memcached) {
            return serialize($store->settings());
        }
        $segment = $store instanceof SharedMemory ? $store->info() : [];

        return ($segment['name'] ?? '') === '' ? null : serialize([$segment['name'], $segment['namespace'] ?? null]);
    }
}
