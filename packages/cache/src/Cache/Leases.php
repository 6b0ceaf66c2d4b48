<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Store;

/**
 * The leases by which this process makes values.
 *
 * PHP runs no `finally` after exit(), out of memory or the time limit, so a function at shutdown gives back what is
 * held then. Others would wait for such a lease until its time is over. After a deadly signal nothing runs.
 *
 * @internal
 */
final class Leases
{
    /** @var array<int, Computation> of values that are made after the response */
    private array $deferred = [];

    private ?AtShutdown $shutdown = null;

    public function __construct(private readonly Store $store) {}

    public function __destruct()
    {
        // After exit() in a function at shutdown no other such function is called.
        $this->shutdown?->giveBack();
    }

    /** The value is being made from here on. */
    public function take(Computation $computation): void
    {
        if ($computation->lease === null && $computation->local === null) {
            return;
        }
        $this->shutdown ??= new AtShutdown();
        $number = \spl_object_id($computation);
        $this->shutdown->held[$number] = [$computation, (int) getmypid(), $this->store];
        if ($this->deferred !== []) {
            unset($this->deferred[$number]);
        }
    }

    /** The value will be made later; until then the lease is held. */
    public function defer(Computation $computation): void
    {
        $this->deferred[spl_object_id($computation)] = $computation;
    }

    public function leave(Computation $computation): void
    {
        if ($this->shutdown !== null) {
            unset($this->shutdown->held[\spl_object_id($computation)]);
        }
    }

    /** Whether another process may wait for this one. */
    public function areNone(): bool
    {
        return ($this->shutdown->held ?? []) === [] && $this->deferred === [];
    }

    /** Whether a process that waits for this one is on this host. */
    public function areLocal(): bool
    {
        foreach ($this->all() as $computation) {
            if ($computation->lease !== null) {
                return false;
            }
        }

        return true;
    }

    /** @return array<array-key, float> for how many seconds it is held, by store key */
    public function seconds(): array
    {
        $seconds = [];
        foreach ($this->all() as $computation) {
            if ($computation->lease !== null || $computation->local !== null) {
                $seconds[$computation->storeKey] = $computation->seconds;
            }
        }

        return $seconds;
    }

    /** Whether this process took the lease, and is not a child of the one that did. */
    public function isOwn(Computation $computation): bool
    {
        return ($this->shutdown->held[spl_object_id($computation)][1] ?? null) === getmypid();
    }

    /** @return list<Computation> */
    private function all(): array
    {
        return [...array_column($this->shutdown->held ?? [], 0), ...array_values($this->deferred)];
    }
}
