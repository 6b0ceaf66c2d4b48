<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** Tells when a lease was asked for, and what the store said to a value. */
final class WatchedStore extends ForwardingStore
{
    /** Nanoseconds: when the lease was asked for that was granted last; 0: it is spent. */
    private int $asked = 0;

    private bool $silent = false;

    /** @param Closure(Outcome): void $answered */
    public function __construct(Store $store, private readonly Closure $answered)
    {
        parent::__construct($store);
    }

    /** When the lease was asked for that this process holds, which is told once; 0: it holds none. */
    public function takeAsked(): int
    {
        $asked = $this->asked;
        $this->asked = 0;

        return $asked;
    }

    /** Whether the last call for a value or a lease had no answer. */
    public function wasSilent(): bool
    {
        return $this->silent;
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $now = (int) hrtime(true);
        $answer = parent::getOrLease($key, $seconds);
        $this->silent = !$answer->answered;
        $this->asked = $answer->lease === null ? 0 : $now;

        return $answer;
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        $now = (int) hrtime(true);
        $lease = parent::lease($key, $seconds);
        $this->asked = $lease === null ? 0 : $now;

        return $lease;
    }

    public function release(string $key, int $lease): bool
    {
        $this->asked = 0;

        return parent::release($key, $lease);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $outcome = parent::set($key, $value, $ttl, $lease);
        ($this->answered)($outcome);

        return $outcome;
    }
}
