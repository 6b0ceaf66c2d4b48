<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Dependency;
use Larder\Dependency\Reading;
use Larder\Dependency\Unstored;
use Larder\Dependency\Versions;
use Larder\Exception\OwnKey;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;

/**
 * The third step: runs the compute of a value that Claim gave to this process, and stores what it made.
 *
 * @internal
 */
final class Make
{
    /**
     * Seconds for which nobody waits for a value that the store refused, because it is too large or there is no room.
     * Otherwise the waiting processes would get the lease one after the other, and each would make the value in turn.
     */
    private const REFUSED_FOR = 10.0;

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
        try {
            $this->keep($computation, $made, $options, $cost);
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
                    $value = new ComputedValue($values[$key], $stamps, $made->why ?? $all->why, $made->refusal);
                    $this->keep($computation, $value, $options, $cost);
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
     * @return Outcome Exists: what it is made from has changed, or the lease is lost
     *
     * @throws UnstorableValue
     */
    public function set(
        string $key,
        string $storeKey,
        mixed $value,
        Options $options,
        ?int $lease,
        ?Reading $reads,
    ): Outcome {
        $stamps = $reads === null ? [] : $reads->stamps;
        if ($stamps !== null && $stamps !== [] && !$this->versions->hold([$stamps])[0]) {
            $stamps = null;
        }
        if ($stamps === null) {
            $why = $reads->why ?? Unstored::Changed;
            $this->tally->unstored($key, $why, $reads->why === null ? $why->text() : $reads->refusal);
            if ($lease !== null) {
                $this->store->release($storeKey, $lease);
            }

            return Outcome::Exists;
        }
        $entry = $options->entry($value, ($this->now)(), null, $stamps);

        return $this->write($key, $storeKey, $entry, $options->life, $lease);
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
     * @param ComputedValue<mixed> $made
     */
    private function keep(Computation $computation, ComputedValue $made, Options $options, float $cost): void
    {
        if ($made->stamps === null) {
            $this->tally->unstored($computation->key, $made->why ?? Unstored::NoVersions, $made->refusal);

            return;
        }
        $value = $made->value;
        $options = $options->with($value);
        if ($computation->lease === null || !$options->keep()) {
            return;
        }
        $entry = $options->entry($value, ($this->now)(), $cost, $made->stamps);
        $outcome = $this->write($computation->key, $computation->storeKey, $entry, $options->life, $computation->lease);
        if ($outcome === Outcome::Refused && !$computation->hasOld) {
            $seconds = min(self::REFUSED_FOR, $options->life ?? self::REFUSED_FOR);
            $refusal = Entry::refusal(($this->now)(), $seconds)->packed($computation->storeKey, $this->early);
            $outcome = $this->store->set($computation->storeKey, $refusal, $seconds, $computation->lease);
        }
        if ($outcome === Outcome::Done || $outcome === Outcome::Exists) {
            $computation->lease = null;
        }
        if ($outcome === Outcome::Exists) {
            $this->tally->count('lost_leases');
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
    private function release(array $computations): void
    {
        foreach ($computations as $computation) {
            if ($computation->lease !== null) {
                $this->store->release($computation->storeKey, $computation->lease);
                $computation->lease = null;
            }
        }
    }
}
