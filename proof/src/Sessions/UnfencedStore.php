<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

use Larder\Outcome;
use Larder\Proof\ForwardingStore;

/** Stores whatever was stored meanwhile, to see that the program finds what the fence prevents. */
final class UnfencedStore extends ForwardingStore
{
    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return parent::set($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return parent::set($key, $value, $ttl);
    }
}
