<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Outcome;

/** What the log says about one compute. */
final class Compute
{
    /** Seconds that a ttl is rounded up by, and a reader may come late. */
    private const LATE = 2.0;

    /** Seconds from taking a lease to the beginning of its compute. */
    private const EARLY = 0.5;

    public ?LogEntry $going = null;
    public ?LogEntry $answered = null;
    private bool $found = false;

    public function __construct(public readonly LogEntry $begun) {}

    public function add(LogEntry $entry): void
    {
        match ($entry->kind) {
            EventKind::Going => $this->going = $entry,
            EventKind::Answered => $this->answered = $entry,
            default => $this->found = true,
        };
    }

    public function ending(): Ending
    {
        return Ending::from($this->begun->word);
    }

    /** Whether the store gave no lease for it. */
    public function isWithoutLease(): bool
    {
        return $this->begun->since === 0;
    }

    /** Nanoseconds; not later than the beginning of its lease. */
    public function began(): int
    {
        return $this->begun->since > 0 ? $this->begun->since : $this->begun->moment;
    }

    public function isStored(): bool
    {
        return $this->found || $this->answered?->word === Outcome::Done->name;
    }

    /**
     * @param float $at        Unix time; the ttl began when the value was made, or a little later
     * @param float $earliness seconds that the store may be early, where it alone ends the value
     */
    public function hasExpired(float $at, float $earliness): bool
    {
        $early = $this->ending() === Ending::ExpireCold ? $earliness : 0.0;

        return $this->begun->seconds > 0.0
            && $this->going !== null
            && $at >= $this->going->time + $this->begun->seconds - $early;
    }

    /** @param int $at nanoseconds */
    public function hasOutlivedLease(int $at): bool
    {
        // A process of this host may have got the lease that stands in for the store's a little earlier.
        $early = $this->isWithoutLease() ? self::EARLY : 0.0;

        return $at - $this->began() >= (int) ((LeaseWorker::LEASE - $early) * 1e9);
    }

    /** Whether its value, which has no grace, may have left the store at that time. */
    public function goesAt(float $at, float $earliness): bool
    {
        $end = $this->going === null ? 0.0 : $this->going->time + $this->begun->seconds;

        return $this->ending() === Ending::ExpireCold && $at >= $end - $earliness && $at <= $end + self::LATE;
    }

    public function state(): string
    {
        return match (true) {
            $this->isStored() => 'stored',
            $this->answered !== null => 'answered with ' . $this->answered->word,
            default => 'being made',
        };
    }
}
