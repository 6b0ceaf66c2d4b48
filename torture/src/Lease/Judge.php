<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Outcome;

/**
 * Finds for every compute the one thing that made it necessary, from what the processes have noted, not from what the store says.
 *
 * A value or a lease ends once, and what ends it must lie before the next compute of the key. A compute for which nothing is left is
 * one too many.
 */
final class Judge
{
    /** @var array<int, array<int, Compute>> by key and generation */
    private array $computes = [];

    /** @var array<int, array<int, Line>> by key; each accounts for one compute at most */
    private array $deletes = [];

    /** @var array<int, Line> by life */
    private array $killed = [];

    /** @var list<Line> */
    private array $wrong = [];

    /** @param list<Line> $lines */
    public function __construct(array $lines)
    {
        foreach ($lines as $line) {
            match ($line->kind) {
                Kind::Begun => $this->computes[$line->key][$line->generation] = new Compute($line),
                Kind::Going, Kind::Answered, Kind::Found => ($this->computes[$line->key][$line->generation] ?? null)?->add($line),
                Kind::Killed => $this->killed[$line->life] = $line,
                Kind::Deleted, Kind::Evicted => $this->deletes[$line->key][] = $line,
                Kind::Lost, Kind::Resurrected, Kind::Wrong => $this->wrong[] = $line,
            };
        }
    }

    /**
     * @param int   $first     key
     * @param int   $count     of keys
     * @param float $earliness seconds that their store may drop a value before its time
     */
    public function of(int $first, int $count, float $earliness = 0.0): Tally
    {
        $causes = [];
        $unexplained = [];
        $computes = 0;
        for ($key = $first; $key < $first + $count; ++$key) {
            $made = $this->computes[$key] ?? [];
            ksort($made);
            $computes += \count($made);
            $last = $value = null;
            foreach ($made as $generation => $compute) {
                $cause = $last === null ? Cause::Cold : $this->cause($last, $compute, $key, $earliness, $value);
                $causes[] = $cause->value ?? '';
                if ($cause === null) {
                    $unexplained[] = "key $key: generation $generation was computed, though {$last->fate()->value} generation {$last->begun->generation} was " . $last->state();
                }
                $last = $compute;
                $value = $compute->isStored() ? $compute : $value;
            }
        }
        $wrong = array_filter($this->wrong, static fn(Line $line): bool => $line->key >= $first && $line->key < $first + $count);

        return new Tally($computes, array_count_values(array_filter($causes, static fn(string $cause): bool => $cause !== '')), [...$unexplained, ...array_map(
            static fn(Line $line): string => rtrim("{$line->kind->value}: key {$line->key}, generation {$line->generation}: {$line->word}"),
            array_values($wrong),
        )], self::count($wrong, Kind::Lost), self::count($wrong, Kind::Resurrected));
    }

    /**
     * What ended the compute or its value before the next one; null: nothing.
     *
     * @param Compute|null $value the last one before that was stored
     */
    private function cause(Compute $compute, Compute $next, int $key, float $earliness, ?Compute $value): ?Cause
    {
        foreach ($this->deletes[$key] ?? [] as $i => $delete) {
            if ($delete->moment >= $compute->began() && $delete->since <= $next->begun->moment) {
                unset($this->deletes[$key][$i]);

                return $delete->kind === Kind::Evicted ? Cause::Eviction : Cause::Delete;
            }
        }
        if ($compute->isStored()) {
            return $compute->hasExpired($next->begun->time, $earliness) ? Cause::Expiry : null;
        }
        $killed = $this->killed[$compute->begun->life] ?? null;
        if ($killed !== null && $compute->answered === null && $killed->moment <= $next->begun->moment) {
            return Cause::Kill;
        }
        if ($compute->hasOutlivedLease($next->begun->moment)) {
            return Cause::Slow;
        }
        if ($earliness > 0.0 && $value?->goesAt($next->begun->time, $earliness) === true) {
            return Cause::Gone;
        }

        return $compute->answered !== null && $compute->answered->word !== Outcome::Exists->name && $compute->answered->moment <= $next->begun->moment ? Cause::Refusal : null;
    }

    /** @param array<Line> $lines */
    private static function count(array $lines, Kind $kind): int
    {
        return \count(array_filter($lines, static fn(Line $line): bool => $line->kind === $kind));
    }
}
