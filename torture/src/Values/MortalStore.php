<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Torture\Lease\ForwardingStore;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** The store as a writer sees it, who may die between any two calls. */
final class MortalStore extends ForwardingStore
{
    public function __construct(Store $store, private readonly Fuse $fuse)
    {
        parent::__construct($store);
    }

    public function read(string $key): Answer
    {
        $this->fuse->burn();

        return parent::read($key);
    }

    public function has(string $key): bool
    {
        $this->fuse->burn();

        return parent::has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $this->fuse->burn();

        return parent::set($key, $value, $ttl, $lease);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->fuse->burn();

        return parent::add($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        $this->fuse->burn();

        return parent::cas($key, $value, $version, $ttl);
    }

    public function delete(string $key): Outcome
    {
        $this->fuse->burn();

        return parent::delete($key);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $this->fuse->burn();

        return parent::increment($key, $by, $initial, $ttl);
    }
}
