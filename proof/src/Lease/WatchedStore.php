<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Proof\ForwardingStore;
use Larder\Store;
use Larder\Store\OnServers;

/** Notes when a lease was asked for, and reports the outcome of each set(). */
final class WatchedStore extends ForwardingStore implements OnServers
{
    /** When the lease was asked for that was granted last, in nanoseconds; 0: that was read already. */
    private int $asked = 0;

    private bool $silent = false;

    /** @param Closure(Outcome): void $answered */
    public function __construct(
        Store $store,
        private readonly Closure $answered,
        private readonly ?string $address,
        private readonly LastFailure $failure,
    ) {
        parent::__construct($store);
    }

    public function address(): ?string
    {
        return $this->address;
    }

    /** When the lease was asked for that this process holds. A second call gives 0, and so does one without a lease. */
    public function takeAsked(): int
    {
        $asked = $this->asked;
        $this->asked = 0;

        return $asked;
    }

    /** Whether the last call for a value or a lease got no answer, as far as the store tells. */
    public function wasSilent(): bool
    {
        return $this->silent;
    }

    /** Why that was. */
    public function silence(): string
    {
        return 'a store gave no answer, ' . $this->failure->text();
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
        $this->silent = false;

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
