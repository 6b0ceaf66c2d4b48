<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** A store without one of its guards. */
final class FlawedStore extends ForwardingStore
{
    private const NOBODYS = 1;

    public function __construct(Store $store, private readonly Flaw $flaw)
    {
        parent::__construct($store);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = parent::getOrLease($key, $seconds);

        return $this->flaw === Flaw::Lease && !$answer->hit && $answer->lease === null ? new Answer(lease: self::NOBODYS) : $answer;
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return parent::lease($key, $seconds) ?? ($this->flaw === Flaw::Lease ? self::NOBODYS : null);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $outcome = parent::set($key, $value, $ttl, $lease);

        return $this->flaw === Flaw::Fence && $outcome === Outcome::Exists ? parent::set($key, $value, $ttl) : $outcome;
    }
}
