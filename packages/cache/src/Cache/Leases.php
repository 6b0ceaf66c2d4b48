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
    /** Bytes that are kept for the shutdown of a process that has no memory left. */
    private const RESERVE = 65_536;

    /** @var array<int, array{Computation, int}> of values being made, each with the process that took the lease */
    private array $held = [];

    /** @var array<int, Computation> of values that are made after the response */
    private array $deferred = [];

    private ?AtShutdown $shutdown = null;
    private string $reserve = '';

    public function __construct(private readonly Store $store) {}

    public function __destruct()
    {
        // After exit() in a function at shutdown no other such function is called.
        if ($this->held !== []) {
            $this->giveBack();
        }
    }

    /** The value is being made from here on. */
    public function take(Computation $computation): void
    {
        if ($computation->lease === null && $computation->local === null) {
            return;
        }
        if ($this->reserve === '') {
            $this->reserve = str_repeat("\0", self::RESERVE);
        }
        $this->shutdown ??= new AtShutdown();
        $this->shutdown->leases = $this;
        $number = \spl_object_id($computation);
        $this->held[$number] = [$computation, (int) getmypid()];
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
        unset($this->held[\spl_object_id($computation)]);
        if ($this->held === [] && $this->shutdown !== null) {
            $this->shutdown->leases = null;
        }
    }

    /** Whether another process may wait for this one. */
    public function areNone(): bool
    {
        return $this->held === [] && $this->deferred === [];
    }

    /** Whether a process that waits for this one is on this host. */
    public function areLocal(): bool
    {
        foreach ([...array_column($this->held, 0), ...$this->deferred] as $computation) {
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
        foreach ([...array_column($this->held, 0), ...$this->deferred] as $computation) {
            if ($computation->lease !== null || $computation->local !== null) {
                $seconds[$computation->storeKey] = $computation->seconds;
            }
        }

        return $seconds;
    }

    /** Whether this process took the lease, and is not a child of the one that did. */
    public function isOwn(Computation $computation): bool
    {
        return ($this->held[spl_object_id($computation)][1] ?? null) === getmypid();
    }

    /** Those that this process took, and not the one that it is a child of. */
    public function giveBack(): void
    {
        $this->reserve = '';
        $process = getmypid();
        foreach ($this->held as [$computation, $taker]) {
            if ($taker !== $process) {
                continue;
            }
            $computation->local?->release();
            if ($computation->lease !== null) {
                $this->store->release($computation->storeKey, $computation->lease);
                $computation->lease = null;
            }
        }
        $this->held = [];
    }
}
