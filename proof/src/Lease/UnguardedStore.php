<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Answer;
use Larder\Outcome;
use Larder\Proof\ForwardingStore;
use Larder\Store;

/** A store without one of its guards. */
final class UnguardedStore extends ForwardingStore
{
    private const INVALID = 1;

    public function __construct(Store $store, private readonly MissingGuard $missing)
    {
        parent::__construct($store);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = parent::getOrLease($key, $seconds);

        $isDenied = !$answer->hit && $answer->lease === null;

        return $this->missing === MissingGuard::Lease && $isDenied ? new Answer(lease: self::INVALID) : $answer;
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return parent::lease($key, $seconds) ?? ($this->missing === MissingGuard::Lease ? self::INVALID : null);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $outcome = parent::set($key, $value, $ttl, $lease);

        $isFenced = $outcome === Outcome::Exists;

        return $this->missing === MissingGuard::Fence && $isFenced ? parent::set($key, $value, $ttl) : $outcome;
    }
}
