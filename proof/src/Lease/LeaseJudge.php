<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Outcome;

/**
 * Finds the one cause of every compute in the processes' log, without asking the store.
 *
 * A value or a lease ends once, and its end must lie before the next compute of the key. A compute without a cause is
 * one too many.
 */
final class LeaseJudge
{
    /** @var array<int, array<int, Compute>> by key and generation */
    private array $computes = [];

    /** @var array<int, array<int, LogEntry>> by key; each accounts for one compute at most */
    private array $deletes = [];

    /** @var array<int, list<LogEntry>> by the first key of their store */
    private array $restarts = [];

    /** @var array<int, LogEntry> by life */
    private array $killed = [];

    /** @var list<LogEntry> */
    private array $wrong = [];

    /** @param list<LogEntry> $entries */
    public function __construct(array $entries)
    {
        foreach ($entries as $entry) {
            match ($entry->kind) {
                EventKind::Begun => $this->computes[$entry->key][$entry->generation] = new Compute($entry),
                EventKind::Going,
                EventKind::Answered,
                EventKind::Found => ($this->computes[$entry->key][$entry->generation] ?? null)?->add($entry),
                EventKind::Killed => $this->killed[$entry->life] = $entry,
                EventKind::Deleted, EventKind::Evicted => $this->deletes[$entry->key][] = $entry,
                EventKind::Restarted => $this->restarts[$entry->key][] = $entry,
                EventKind::Silent, EventKind::Lost, EventKind::Resurrected, EventKind::Wrong => $this->wrong[] = $entry,
            };
        }
    }

    /**
     * @param int   $first     key
     * @param int   $count     of keys
     * @param float $earliness seconds that their store may drop a value before its end
     */
    public function of(int $first, int $count, float $earliness = 0.0): StoreTally
    {
        $causes = [];
        $unexplained = [];
        $computes = 0;
        for ($key = $first; $key < $first + $count; ++$key) {
            $made = $this->computes[$key] ?? [];
            ksort($made);
            $computes += \count($made);
            $last = $value = $alone = null;
            foreach ($made as $generation => $compute) {
                if ($compute->isWithoutLease() && $this->isAway($first, $compute->begun->moment)) {
                    $causes[] = ($cause = $this->outage($alone, $compute))->value ?? '';
                    if ($cause === null) {
                        $unexplained[] = "key $key: generation $generation was computed without the server,"
                            . " though generation {$alone?->begun->generation} was being made";
                    }
                    $alone = $compute;
                    continue;
                }
                $cause = match (true) {
                    $last === null => Cause::Cold,
                    $this->isLostBetween($last, $compute, $first) => Cause::Restart,
                    default => $this->cause($last, $compute, $key, $earliness, $value),
                };
                $causes[] = $cause->value ?? '';
                if ($cause === null) {
                    $unexplained[] = \sprintf(
                        'key %d: generation %d was computed %s, though %s generation %d, which began %d ms before, '
                            . 'was %s',
                        $key,
                        $generation,
                        $compute->isWithoutLease() ? 'without a lease' : 'by a lease',
                        $last->ending()->value,
                        $last->begun->generation,
                        intdiv($compute->begun->moment - $last->began(), 1_000_000),
                        $last->state(),
                    );
                }
                $last = $compute;
                $value = $compute->isStored() ? $compute : $value;
            }
        }
        $isOfStore = fn(LogEntry $entry): bool => $entry->key >= $first && $entry->key < $first + $count
            && ($entry->kind !== EventKind::Silent || !$this->isAway($first, $entry->moment));
        $wrong = array_values(array_filter($this->wrong, $isOfStore));

        $shown = array_map(fn(LogEntry $entry): string => rtrim(
            "{$entry->kind->value}: key $entry->key, generation $entry->generation: $entry->word"
                . ($entry->kind === EventKind::Silent ? $this->sinceRestart($first, $entry->moment) : ''),
        ), $wrong);

        return new StoreTally(
            $computes,
            array_count_values(array_filter($causes, static fn(string $cause): bool => $cause !== '')),
            [...$unexplained, ...$shown],
            self::count($wrong, EventKind::Lost),
            self::count($wrong, EventKind::Resurrected),
        );
    }

    /**
     * What ended the compute or its value before the next one; null: nothing.
     *
     * A delete accounts for one compute alone, and may have been under way while two of them began. So it is taken only
     * where there is no other cause.
     *
     * @param Compute|null $value the last one before that was stored
     */
    private function cause(Compute $compute, Compute $next, int $key, float $earliness, ?Compute $value): ?Cause
    {
        $answer = $compute->answered;
        $isRefused = $answer !== null && $answer->word !== Outcome::Exists->name;
        $cause = match (true) {
            $compute->isStored() => $compute->hasExpired($next->begun->time, $earliness) ? Cause::Expiry : null,
            $answer === null && $this->isKilled($compute, $next) => Cause::Kill,
            $compute->hasOutlivedLease($next->begun->moment) => Cause::Slow,
            $earliness > 0.0 && $value?->goesAt($next->begun->time, $earliness) === true => Cause::Gone,
            $isRefused && $answer->moment <= $next->begun->moment => Cause::Refusal,
            default => null,
        };
        foreach ($cause === null ? $this->deletes[$key] ?? [] : [] as $i => $delete) {
            if ($delete->moment >= $compute->began() && $delete->since <= $next->begun->moment) {
                unset($this->deletes[$key][$i]);

                return $delete->kind === EventKind::Evicted ? Cause::Eviction : Cause::Delete;
            }
        }

        return $cause;
    }

    private function isKilled(Compute $compute, Compute $next): bool
    {
        $killed = $this->killed[$compute->begun->life] ?? null;

        return $killed !== null && $killed->moment <= $next->begun->moment;
    }

    /**
     * Why a value is made while the server is away: nobody else of this host makes it; null: somebody does.
     *
     * @param Compute|null $last the last one that was made so
     */
    private function outage(?Compute $last, Compute $next): ?Cause
    {
        $at = $next->begun->moment;
        $isOver = $last === null || ($last->going !== null && $last->going->moment <= $at)
            || $this->isKilled($last, $next) || $last->hasOutlivedLease($at);

        return $isOver ? Cause::Outage : null;
    }

    /** Whether a store was restarted between two computes, so that the second one needs no other cause. */
    private function isLostBetween(Compute $last, Compute $next, int $store): bool
    {
        foreach ($this->restarts[$store] ?? [] as $restart) {
            if ($last->began() <= $restart->moment && $next->began() >= $restart->since) {
                return true;
            }
        }

        return false;
    }

    /** Whether a process may have found the store's server gone at that time. */
    private function isAway(int $store, int $at): bool
    {
        foreach ($this->restarts[$store] ?? [] as $restart) {
            if ($at >= $restart->since && $at <= $restart->moment + Disruptor::AWAY) {
                return true;
            }
        }

        return false;
    }

    /** How long the store's server was back at that time. */
    private function sinceRestart(int $store, int $at): string
    {
        $back = array_filter(
            array_map(static fn(LogEntry $restart): int => $restart->moment, $this->restarts[$store] ?? []),
            static fn(int $moment): bool => $moment <= $at,
        );

        return $back === [] ? '' : \sprintf(', and its server was back %d ms', intdiv($at - max($back), 1_000_000));
    }

    /** @param array<LogEntry> $entries */
    private static function count(array $entries, EventKind $kind): int
    {
        return \count(array_filter($entries, static fn(LogEntry $entry): bool => $entry->kind === $kind));
    }
}
