<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Dependency;
use Larder\Dependency\Versions;
use Larder\Exception\OwnKey;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;

/**
 * Runs computes, and stores what they make.
 *
 * @internal
 */
final class Computes
{
    /**
     * For so many seconds after a store refused a value, because it is too large or there is no room, nobody waits for it: those who
     * wait would only get the lease one after the other, and make the value each in turn.
     */
    private const REFUSED_FOR = 10.0;

    /** @var array<array-key, string> keys being made in this process, by item, from the outermost on */
    private array $making = [];

    public function __construct(
        private readonly Entries $entries,
        private readonly Versions $versions,
        private readonly Time $time,
        private readonly Tally $tally,
    ) {}

    /** @throws OwnKey if it is being made by a caller of this call */
    public function refuseOwn(string $key, string $item): void
    {
        if (isset($this->making[$item])) {
            throw OwnKey::asked($key, array_values($this->making));
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $compute
     *
     * @return array{T, float} what it made; seconds that it took
     */
    public function one(Closure $compute, Terms $terms, Making $making): array
    {
        $begin = hrtime(true);
        $made = $this->run($compute, $terms->reads, $terms->life, [$making]);
        $cost = (hrtime(true) - $begin) / 1e9;
        try {
            if ($made->stamps === null) {
                $this->tally->count('unstored');
            } else {
                $this->store($making, $made->value, $terms->with($made->value), $cost, $made->stamps);
            }
        } finally {
            $this->release([$making]);
        }

        return [$made->value, $cost];
    }

    /**
     * @param Closure(list<string>): array<array-key, mixed>        $compute
     * @param (Closure(string): list<string|Dependency>)|null       $reads
     * @param list<Making>                                          $making
     *
     * @return array{array<array-key, mixed>, float} what it made, by key; seconds that it took
     */
    public function many(Closure $compute, ?Closure $reads, Terms $terms, array $making): array
    {
        $keys = array_column($making, 'key');
        $begin = hrtime(true);
        $made = $this->run(fn(): array => $this->parts($compute, $keys, $reads, $terms->life), [], $terms->life, $making);
        $cost = (hrtime(true) - $begin) / 1e9;
        [$own, $all] = $made->value;
        $values = array_intersect_key($all->value, array_flip($keys));
        // What is told beforehand of one key concerns no other, though one query may read it for all.
        $common = array_diff_key($all->stamps ?? [], ...array_values(array_filter($own, is_array(...))));
        try {
            foreach ($making as $one) {
                if (!\array_key_exists($one->key, $values)) {
                    continue;
                }
                $stamps = $own[$one->key];
                if ($made->stamps === null || $all->stamps === null || $stamps === null) {
                    $this->tally->count('unstored');
                } else {
                    $this->store($one, $values[$one->key], $terms->with($values[$one->key]), $cost, $stamps + ($stamps === [] ? $all->stamps : $common));
                }
            }
        } finally {
            $this->release($making);
        }

        return [$values, $cost];
    }

    /** @throws UnstorableValue */
    public function write(string $key, string $item, Entry $entry, ?float $life, ?int $lease): Outcome
    {
        try {
            $outcome = $this->entries->write($item, $entry, $life, $lease);
        } catch (UnstorableValue $exception) {
            throw self::unstorable($key, $entry->value, $exception);
        }
        if ($outcome === Outcome::Refused || $outcome === Outcome::Unknown) {
            $this->tally->warn('refused', 'The value of {key} was not stored: it is too large, or the store is full or does not answer.', ['key' => $key, 'outcome' => $outcome->name]);
        }

        return $outcome;
    }

    /** The same, with the key and the type: a store tells the place only, and as seen from the entry, which holds the value at 0. */
    public static function unstorable(string $key, mixed $value, UnstorableValue $exception): UnstorableValue
    {
        $reason = str_replace('$value[0]', '$value', $exception->getMessage());

        return new UnstorableValue(\sprintf('The value of "%s", of type %s, cannot be stored: %s', $key, get_debug_type($value), $reason), 0, $exception);
    }

    /**
     * @template T
     *
     * @param Closure(): T            $compute
     * @param list<string|Dependency> $names
     * @param list<Making>            $making
     *
     * @return ComputedValue<T>
     */
    private function run(Closure $compute, array $names, ?float $life, array $making): ComputedValue
    {
        $made = null;
        foreach ($making as $one) {
            $this->making[$one->item] = $one->key;
        }
        $this->tally->count('computes');
        try {
            return $made = $this->versions->make($compute, $names, $life);
        } finally {
            foreach ($making as $one) {
                unset($this->making[$one->item]);
            }
            if ($made === null) {
                $this->release($making);
            }
        }
    }

    /** @param array<string, int> $stamps */
    private function store(Making $making, mixed $value, Terms $terms, float $cost, array $stamps): void
    {
        if ($making->lease === null || !$terms->keep()) {
            return;
        }
        $entry = $terms->entry($value, $this->time->now(), $cost, $stamps);
        $outcome = $this->write($making->key, $making->item, $entry, $terms->life, $making->lease);
        if ($outcome === Outcome::Refused && !$making->hasOld) {
            $seconds = min(self::REFUSED_FOR, $terms->life ?? self::REFUSED_FOR);
            $outcome = $this->entries->write($making->item, Entry::refusal($this->time->now(), $seconds), $seconds, $making->lease);
        }
        if ($outcome === Outcome::Done || $outcome === Outcome::Exists) {
            $making->lease = null;
        }
        if ($outcome === Outcome::Exists) {
            $this->tally->count('lost_leases');
        }
    }

    /** @param list<Making> $making */
    private function release(array $making): void
    {
        foreach ($making as $one) {
            if ($one->lease !== null) {
                $this->entries->store->release($one->item, $one->lease);
                $one->lease = null;
            }
        }
    }

    /**
     * What is known beforehand holds for one key, what the compute tells while it runs for all: a frame of its own for each keeps them
     * apart, and the one around them all sees whether any of it moved meanwhile.
     *
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param list<string>                                    $keys
     * @param (Closure(string): list<string|Dependency>)|null $reads
     *
     * @return array{array<array-key, array<string, int>|null>, ComputedValue<array<array-key, mixed>>} stamps by key; what was made
     */
    private function parts(Closure $compute, array $keys, ?Closure $reads, ?float $life): array
    {
        $own = [];
        foreach ($keys as $key) {
            $own[$key] = $reads === null ? [] : $this->versions->make(static fn(): null => null, $reads($key), $life)->stamps;
        }

        return [$own, $this->versions->make(static fn(): array => $compute($keys), [], $life)];
    }
}
