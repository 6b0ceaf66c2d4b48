<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Dependency;
use Larder\Dependency\GateEntries;
use Larder\Dependency\Versions;
use Larder\Exception\OwnKey;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
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

    /** @param Closure(): float $now */
    public function __construct(
        private readonly Store $store,
        private readonly Versions $versions,
        private readonly Tally $tally,
        private readonly float $early,
        private readonly Closure $now,
    ) {}

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
        $begin = hrtime(true);
        $made = $this->run($compute, $options->reads, $options->life, [$computation]);
        $cost = (hrtime(true) - $begin) / 1e9;
        $this->leave($computation, $made->value, $made);
        try {
            $this->keep($computation, $made->value, $options, $cost, $made->stamps, $options->reads);
        } finally {
            $this->release([$computation]);
        }
        $this->tally->missed($computation->key, $computation->event(), $cost, $options);

        return $made->value;
    }

    /**
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param (Closure(string): list<string|Dependency>)|null $reads
     * @param list<Computation>                               $computations
     *
     * @return array<array-key, mixed> what it made, by key
     */
    public function many(Closure $compute, ?Closure $reads, array $computations, Options $options): array
    {
        $keys = array_column($computations, 'key');
        $parts = fn(): array => $this->parts($compute, $keys, $reads, $options->life);
        $begin = hrtime(true);
        $made = $this->run($parts, [], $options->life, $computations);
        $cost = (hrtime(true) - $begin) / 1e9;
        [$own, $all] = $made->value;
        $values = array_intersect_key($all->value, array_flip($keys));
        // What $reads says of one key concerns no other, though one query may read it for all.
        $common = array_diff_key($all->stamps ?? [], ...array_values(array_filter($own, is_array(...))));
        $refused = $made->stamps === null || $all->stamps === null;
        try {
            foreach ($computations as $computation) {
                $key = $computation->key;
                if (\array_key_exists($key, $values)) {
                    $stamps = $own[$key];
                    $stamps = $refused || $stamps === null ? null : $stamps + ($stamps === [] ? $all->stamps : $common);
                    $this->leave($computation, $values[$key], $made);
                    $names = $stamps !== null || $reads === null ? [] : $reads($key);
                    $this->keep($computation, $values[$key], $options, $cost, $stamps, $names);
                }
            }
        } finally {
            $this->release($computations);
        }
        foreach ($computations as $computation) {
            $this->tally->missed($computation->key, $computation->event(), $cost, $options);
        }

        return $values;
    }

    /**
     * Stores a value that the caller made itself.
     *
     * @throws UnstorableValue
     */
    public function set(string $key, string $storeKey, mixed $value, Options $options): Outcome
    {
        return $this->write($key, $storeKey, $options->entry($value, ($this->now)()), $options->life, null);
    }

    /**
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Dependency> $names
     * @param list<Computation>       $computations
     *
     * @return ComputedValue<T>
     */
    private function run(Closure $compute, array $names, ?float $life, array $computations): ComputedValue
    {
        $made = null;
        foreach ($computations as $computation) {
            $this->making[$computation->storeKey] = $computation->key;
        }
        $this->tally->count('computes');
        try {
            return $made = $this->versions->make($compute, $names, $life);
        } finally {
            foreach ($computations as $computation) {
                unset($this->making[$computation->storeKey]);
            }
            if ($made === null) {
                $this->release($computations);
            }
        }
    }

    /**
     * What $reads says holds for one key, what the compute tells while it runs holds for all. So each key has a frame
     * that keeps them apart, and the frame around them all sees whether any of the data changed meanwhile.
     *
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param list<string>                                    $keys
     * @param (Closure(string): list<string|Dependency>)|null $reads
     *
     * @return array{array<array-key, array<string, int>|null>, ComputedValue<array<array-key, mixed>>} stamps by key;
     *     what was made
     */
    private function parts(Closure $compute, array $keys, ?Closure $reads, ?float $life): array
    {
        $own = [];
        foreach ($keys as $key) {
            $nothing = static fn(): null => null;
            $own[$key] = $reads === null ? [] : $this->versions->make($nothing, $reads($key), $life)->stamps;
        }

        return [$own, $this->versions->make(static fn(): array => $compute($keys), [], $life)];
    }

    /**
     * Stores what was made, if it may be stored.
     *
     * @param array<string, int>|null $stamps null: the data may have changed meanwhile
     * @param list<string|Dependency> $names  of the data, as far as it was known before
     */
    private function keep(
        Computation $computation,
        mixed $value,
        Options $options,
        float $cost,
        ?array $stamps,
        array $names,
    ): void {
        if ($stamps === null) {
            $this->tally->count('unstored');
            // Those that know the names see by themselves that the data is being changed.
            if ($computation->lease !== null && ($names === [] || !$this->versions->wouldRefuse($names))) {
                $this->mark($computation, $options, $cost);
            }

            return;
        }
        $options = $options->with($value);
        if ($computation->lease === null || !$options->keep()) {
            return;
        }
        $entry = $options->entry($value, ($this->now)(), $cost, $stamps);
        $outcome = $this->write($computation->key, $computation->storeKey, $entry, $options->life, $computation->lease);
        if ($outcome === Outcome::Refused) {
            $this->mark($computation, $options, $cost);

            return;
        }
        if ($outcome === Outcome::Done || $outcome === Outcome::Exists) {
            $computation->lease = null;
        }
        if ($outcome === Outcome::Exists) {
            $this->tally->count('lost_leases');
        }
    }

    /** Tells those that wait that the value could not be stored. */
    private function mark(Computation $computation, Options $options, float $cost): void
    {
        if ($computation->lease === null || $computation->hasOld) {
            return;
        }
        [$least, $most] = self::UNSTORED_FOR;
        $seconds = min(max($least, 2.0 * $cost), $most, $options->life ?? $most);
        $mark = Entry::unstored(($this->now)(), $seconds)->packed($computation->storeKey, $this->early);
        $outcome = $this->store->set($computation->storeKey, $mark, $seconds, $computation->lease);
        if ($outcome === Outcome::Done || $outcome === Outcome::Exists) {
            $computation->lease = null;
        }
    }

    /**
     * Leaves a value to those processes of this host that wait for it, unless only the state of this process keeps it
     * from being stored.
     *
     * @param ComputedValue<mixed> $made what the compute gave
     */
    private function leave(Computation $computation, mixed $value, ComputedValue $made): void
    {
        if ($computation->local === null || ($made->stamps === null && $made->refusal !== GateEntries::UNANSWERED)) {
            return;
        }
        try {
            $computation->local->leave(serialize(['value' => $value, 'bounded' => $made->stamps === []]));
        } catch (Throwable) {
            // Not every value can be written. Then the next process makes its own.
        }
    }

    /** @throws UnstorableValue */
    private function write(string $key, string $storeKey, Entry $entry, ?float $life, ?int $lease): Outcome
    {
        try {
            $outcome = $this->store->set($storeKey, $entry->packed($storeKey, $this->early), $life, $lease);
        } catch (UnstorableValue $exception) {
            throw Entry::unstorable($key, $entry->value, $exception);
        }
        if ($outcome === Outcome::Refused || $outcome === Outcome::Unknown) {
            $this->tally->refused($key, $outcome);
        }

        return $outcome;
    }

    /** @param list<Computation> $computations */
    public function release(array $computations): void
    {
        foreach ($computations as $computation) {
            $computation->local?->release();
            if ($computation->lease !== null) {
                $this->store->release($computation->storeKey, $computation->lease);
                $computation->lease = null;
            }
        }
    }
}
