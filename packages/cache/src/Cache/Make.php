<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Name;
use Larder\Dependency\Reading;
use Larder\Dependency\Unstored;
use Larder\Dependency\Versions;
use Larder\Dependency\VersionsInStore;
use Larder\Exception\OwnKey;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;
use Throwable;

/**
 * The third step: runs the compute of a value that Claim gave to this process, and stores what it made.
 *
 * @internal
 */
final class Make
{
    /**
     * Seconds for which nobody waits for a value that could not be stored: twice what its compute took, within these
     * bounds. Otherwise the waiting processes would get the lease one after the other, and each would make the value in
     * turn. One at a time still has the lease, and what it stores ends this.
     */
    private const UNSTORED_FOR = [1.0, 10.0];

    /** @var array<array-key, string> keys being made in this process, by store key, from the outermost on */
    private array $making = [];

    private readonly LateLocks $lateLocks;

    /** @param Closure(): float $now */
    public function __construct(
        private readonly Store $store,
        private readonly Versions $versions,
        private readonly Tally $tally,
        private readonly Leases $leases,
        private readonly float $early,
        private readonly Closure $now,
    ) {
        $this->lateLocks = new LateLocks($store);
    }

    /** @throws OwnKey if a caller of this call is making it */
    public function refuseOwn(string $key, string $storeKey): void
    {
        if (isset($this->making[$storeKey])) {
            throw OwnKey::asked($key, array_values($this->making));
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $compute
     *
     * @return T
     */
    public function one(Closure $compute, Computation $computation, Options $options): mixed
    {
        $made = $this->run($compute, $options->reads, $options->life, [$computation], $cost);
        $key = $computation->key;
        if ($made->stamps !== null && $computation->lease !== null) {
            $this->keepOne($computation, $made->value, $made->stamps, $options, $cost);
        } else {
            $this->keep([$computation], [$key => $made], [$key => $options->reads], $options, $cost);
        }
        $this->tally->missed($key, $computation->event(), $cost, $options);

        return $made->value;
    }

    /**
     * @param Closure(list<string>): array<array-key, mixed> $compute
     * @param array<array-key, list<string|Name>>      $names        what data the values are made from, by key
     * @param list<Computation>                              $computations
     *
     * @return array<array-key, mixed> what it made, by key
     */
    public function many(Closure $compute, array $names, array $computations, Options $options): array
    {
        $keys = array_column($computations, 'key');
        $names = array_intersect_key($names, array_flip($keys));
        $isMixed = \in_array([], $names, true) && array_filter($names) !== [];
        $run = static fn(): array => $compute($keys);
        $parts = fn(): ComputedValue => $isMixed
            ? $this->versions->make($run, [], $options->life)
            : new ComputedValue($run(), []);
        $made = $this->run($parts, array_merge(...array_values($names)), $options->life, $computations, $cost);
        // What the compute told while it ran holds for all. What was known of one key before concerns no other.
        $told = $isMixed ? $made->value->stamps : $made->stamps;
        $own = array_map(fn(array $its): array => array_flip($this->versions->stampKeys($its)), $names);
        $common = array_diff_key($made->stamps ?? [], ...array_values($own));
        $values = array_intersect_key($made->value->value, array_flip($keys));
        $each = [];
        foreach ($values as $key => $value) {
            $stamps = $own[$key] === [] ? $told : array_intersect_key($made->stamps ?? [], $own[$key]) + $common;
            $stamps = $made->stamps === null ? null : $stamps;
            $why = $made->why ?? $made->value->why;
            $each[$key] = new ComputedValue($value, $stamps, $why, $made->refusal, $made->isOld);
        }
        $this->keep($computations, $each, $names, $options, $cost);
        foreach ($computations as $computation) {
            $this->tally->missed($computation->key, $computation->event(), $cost, $options);
        }

        return $values;
    }

    /**
     * Stores a value that the caller made itself.
     *
     * @return Outcome Exists: what it is made from has changed, or the lease is lost
     *
     * @throws UnstorableValue
     */
    public function set(string $key, string $storeKey, mixed $value, Options $options, ?Reading $reads): Outcome
    {
        $stamps = $reads === null ? [] : $reads->stamps;
        if ($stamps !== null && $stamps !== [] && !$this->versions->hold([$stamps])[0]) {
            $stamps = null;
        }
        if ($stamps === null) {
            $why = $reads->why ?? Unstored::Changed;
            $this->tally->unstored($key, $why, $reads->why === null ? $why->text() : $reads->refusal);

            return Outcome::Exists;
        }
        $write = $this->write($storeKey, $options->entry($value, ($this->now)(), null, $stamps), $options->life);

        return $this->written($key, $value, Operation::run($this->store, [$write])[0]);
    }

    /**
     * Stores values that the caller made itself, in one trip; one without any time is removed.
     *
     * @param array<array-key, mixed>   $values    by key
     * @param array<array-key, string>  $storeKeys by key
     * @param array<array-key, Options> $options   by key
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws UnstorableValue the others are stored
     */
    public function setMultiple(array $values, array $storeKeys, array $options): array
    {
        $writes = [];
        foreach ($storeKeys as $key => $storeKey) {
            $entry = $options[$key]->entry($values[$key], ($this->now)());
            $writes[$key] = $options[$key]->keep()
                ? $this->write($storeKey, $entry, $options[$key]->life)
                : Operation::delete($storeKey);
        }
        $outcomes = $failures = [];
        foreach (Operation::run($this->store, $writes) as $key => $outcome) {
            try {
                $outcomes[$key] = $this->written((string) $key, $values[$key], $outcome);
            } catch (UnstorableValue $exception) {
                $failures[] = $exception;
            }
        }

        return $failures === [] ? $outcomes : throw $failures[0];
    }

    /**
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Name> $names
     * @param list<Computation>       $computations
     *
     * @param-out float $cost seconds that it took
     *
     * @return ComputedValue<T>
     */
    private function run(
        Closure $compute,
        array $names,
        ?float $life,
        array $computations,
        ?float &$cost = null,
    ): ComputedValue {
        $made = null;
        foreach ($computations as $computation) {
            $this->making[$computation->storeKey] = $computation->key;
            $this->leases->take($computation);
        }
        $begin = hrtime(true);
        try {
            $seen = $computations[0]->seen ?? null;

            return $made = $seen !== null && $this->versions instanceof VersionsInStore
                ? $this->versions->makeOf($compute, $names, $life, $seen)
                : $this->versions->make($compute, $names, $life);
        } finally {
            $cost = (hrtime(true) - $begin) / 1e9;
            $this->tally->took($cost);
            foreach ($computations as $computation) {
                unset($this->making[$computation->storeKey]);
            }
            if ($made === null) {
                $this->release($computations);
            }
        }
    }

    /**
     * As keep(), for one value that may be stored by a lease: the most common case in the fewest steps.
     *
     * @param array<string, int> $stamps
     *
     * @throws UnstorableValue
     */
    private function keepOne(
        Computation $computation,
        mixed $value,
        array $stamps,
        Options $options,
        float $cost,
    ): void {
        try {
            $its = $options->with($value);
            if ($its->life === 0.0) {
                return;
            }
            $entry = $its->packed($computation->storeKey, $value, ($this->now)(), $cost, $stamps, $this->early);
            $since = 0;
            try {
                do {
                    $outcome = $this->store->set($computation->storeKey, $entry, $its->life, $computation->lease);
                } while ($outcome === Outcome::Refused && $this->lateLocks->areReasonToRepeat($since));
            } catch (UnstorableValue $exception) {
                $outcome = $exception;
            }
            if ($outcome === Outcome::Done || $outcome === Outcome::Exists) {
                $computation->lease = null;
            }
            if ($outcome === Outcome::Exists) {
                $this->tally->count('unstored', label: 'lost_lease');
            } elseif (
                $outcome !== Outcome::Done
                && $this->written($computation->key, $value, $outcome) === Outcome::Refused
            ) {
                $this->end([$computation], array_filter([$this->mark($computation, $options, $cost)]));
            }
        } finally {
            if ($computation->lease !== null) {
                $this->release([$computation]);
            } else {
                $this->leases->leave($computation);
            }
        }
    }

    /**
     * Stores what was made, as far as it may be stored, and gives all leases back: in one trip, and more only for what
     * the store refuses.
     *
     * @param list<Computation>                         $computations
     * @param array<array-key, ComputedValue<mixed>>    $made  by key; what is missing was not made
     * @param array<array-key, list<string|Name>> $names of the data, as far as it was known before, by key
     *
     * @throws UnstorableValue the others are stored
     */
    private function keep(array $computations, array $made, array $names, Options $options, float $cost): void
    {
        try {
            $values = $this->values($computations, $made, $options, $cost);
            $marks = $this->marks($computations, $made, $names, $options, $cost);
            $outcomes = $this->end($computations, $values + $marks);
            $failure = null;
            $refused = [];
            foreach (array_intersect_key($outcomes, $values) as $number => $outcome) {
                $computation = $computations[$number];
                try {
                    $outcome = $this->written($computation->key, $made[$computation->key]->value, $outcome);
                } catch (UnstorableValue $exception) {
                    $failure ??= $exception;
                }
                if ($outcome === Outcome::Refused) {
                    $refused[$number] = $this->mark($computation, $options, $cost);
                } elseif ($outcome === Outcome::Exists) {
                    $this->tally->count('unstored', label: 'lost_lease');
                }
            }
            $this->end($computations, array_filter($refused));
        } finally {
            $this->release($computations);
        }
        if ($failure !== null) {
            throw $failure;
        }
    }

    /**
     * @param list<Computation>                      $computations
     * @param array<array-key, ComputedValue<mixed>> $made         by key
     *
     * @return array<int, Operation<Outcome|UnstorableValue>> stores the values that may be stored; by the computation's
     *     number
     */
    private function values(array $computations, array $made, Options $options, float $cost): array
    {
        $writes = [];
        foreach ($computations as $number => $computation) {
            $value = $made[$computation->key] ?? null;
            if ($value === null) {
                continue;
            }
            $this->leave($computation, $value);
            if ($value->stamps === null) {
                $this->tally->unstored($computation->key, $value->why ?? Unstored::NoVersions, $value->refusal);
                continue;
            }
            $its = $options->with($value->value);
            if ($computation->lease !== null && $its->keep()) {
                $entry = $its->entry($value->value, ($this->now)(), $cost, $value->stamps);
                $writes[$number] = $this->write($computation->storeKey, $entry, $its->life, $computation->lease);
            }
        }

        return $writes;
    }

    /**
     * @param list<Computation>                         $computations
     * @param array<array-key, ComputedValue<mixed>>    $made         by key
     * @param array<array-key, list<string|Name>> $names        by key
     *
     * @return array<int, Operation<Outcome|UnstorableValue>> marks in place of values that may not be stored, by the
     *     computation's number
     */
    private function marks(array $computations, array $made, array $names, Options $options, float $cost): array
    {
        $leased = array_filter($computations, static fn(Computation $one): bool => $one->lease !== null);
        $unstored = array_filter(
            array_intersect_key($made, array_flip(array_column($leased, 'key'))),
            static fn(ComputedValue $value): bool => $value->stamps === null,
        );
        $known = array_filter(array_intersect_key($names, $unstored));
        // Those that know the names see by themselves that the data is being changed.
        $isSeen = $known !== [] && $this->versions->wouldRefuse(array_merge(...array_values($known)));
        $marks = [];
        foreach ($computations as $number => $computation) {
            if (isset($unstored[$computation->key]) && !($isSeen && isset($known[$computation->key]))) {
                $marks[$number] = $this->mark($computation, $options, $cost);
            }
        }

        return array_filter($marks);
    }

    /**
     * Tells those that wait that the value could not be stored.
     *
     * @return Operation<Outcome|UnstorableValue>|null null: nobody waits
     */
    private function mark(Computation $computation, Options $options, float $cost): ?Operation
    {
        if ($computation->lease === null || $computation->hasOld) {
            return null;
        }
        [$least, $most] = self::UNSTORED_FOR;
        $seconds = min(max($least, 2.0 * $cost), $most, $options->life ?? $most);
        $mark = Entry::unstored(($this->now)(), $seconds);

        return $this->write($computation->storeKey, $mark, $seconds, $computation->lease);
    }

    /**
     * Writes by leases, and gives the leases of the other computations back, in one trip.
     *
     * @param list<Computation>                              $computations
     * @param array<int, Operation<Outcome|UnstorableValue>> $writes       by the computation's number
     *
     * @return array<int, Outcome|UnstorableValue> of the writes
     */
    private function end(array $computations, array $writes): array
    {
        $releases = [];
        foreach ($computations as $number => $computation) {
            if ($computation->lease !== null && !isset($writes[$number])) {
                $releases[$number] = Operation::release($computation->storeKey, $computation->lease);
            }
        }
        $since = 0;
        $outcomes = Operation::run($this->store, $writes + $releases);
        // A lease that was not given back for want of a lock seems to be lost; others would wait for its end.
        $isRefused = static fn(mixed $outcome): bool => $outcome === Outcome::Refused || $outcome === Outcome::NotFound;
        for (;;) {
            $again = array_intersect_key($writes + $releases, array_filter($outcomes, $isRefused));
            if ($again === [] || !$this->lateLocks->areReasonToRepeat($since)) {
                break;
            }
            $outcomes = array_replace($outcomes, Operation::run($this->store, $again));
        }
        foreach ($outcomes as $number => $outcome) {
            if (isset($releases[$number]) || $outcome === Outcome::Done || $outcome === Outcome::Exists) {
                $computations[$number]->lease = null;
            }
        }

        return array_intersect_key($outcomes, $writes);
    }

    /**
     * Leaves the value to those processes of this host that wait for it. One made from an older state of the data, such
     * as the one that a page or a value around it is made from, may be older than what they would make.
     *
     * @param ComputedValue<mixed> $made
     */
    private function leave(Computation $computation, ComputedValue $made): void
    {
        $mayHave = $made->stamps !== null || $made->why === Unstored::NoVersions;
        if ($computation->local === null || $made->isOld || !$mayHave) {
            return;
        }
        try {
            $computation->local->leave(serialize(['value' => $made->value, 'bounded' => $made->stamps === []]));
        } catch (Throwable) {
            // Not every value can be written. Then the next process makes its own.
        }
    }

    /** @return Operation<Outcome|UnstorableValue> */
    private function write(string $storeKey, Entry $entry, ?float $life, ?int $lease = null): Operation
    {
        return Operation::set($storeKey, $entry->packed($storeKey, $this->early), $life, $lease);
    }

    /** @throws UnstorableValue */
    private function written(string $key, mixed $value, Outcome|UnstorableValue $outcome): Outcome
    {
        if ($outcome instanceof UnstorableValue) {
            throw Entry::unstorable($key, $value, $outcome);
        }
        if ($outcome === Outcome::Refused || $outcome === Outcome::Unknown) {
            $this->tally->refused($key, $outcome);
        }

        return $outcome;
    }

    /** @param list<Computation> $computations */
    private function release(array $computations): void
    {
        $own = array_values(array_filter($computations, $this->leases->isOwn(...)));
        foreach ($own as $computation) {
            $computation->local?->release();
        }
        $this->end($own, []);
        foreach ($computations as $computation) {
            $this->leases->leave($computation);
        }
    }
}
