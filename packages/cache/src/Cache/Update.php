<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;

/**
 * Changes values that are there: reads them, changes them, and stores each only if nobody else changed it meanwhile.
 *
 * @internal
 */
final readonly class Update
{
    /** With the pauses between them these take about a second; then others write faster than this process can read. */
    private const TRIES = 40;

    /** Microseconds at most between two tries. */
    private const PAUSE = 50_000;

    /** @param Closure(): float $now */
    public function __construct(
        private Store $store,
        private Look $look,
        private float $early,
        private Closure $now,
    ) {}

    /**
     * @param array<array-key, string> $storeKeys by key
     *
     * @return array<array-key, Inspection> by key
     */
    public function inspect(array $storeKeys): array
    {
        $answers = $this->read($storeKeys);
        $entries = $this->entries($answers);
        $now = ($this->now)();
        $inspections = [];
        foreach ($answers as $key => $answer) {
            $entry = $entries[$key] ?? null;
            if ($entry !== null) {
                $this->look->used($entry);
            }
            $inspections[$key] = $entry === null
                ? new Inspection(State::Missing)
                : Inspection::of($entry, $answer->version, $now, $this->early, $this->look->names($entry));
        }

        return $inspections;
    }

    /**
     * @param array<array-key, string> $storeKeys by key
     * @param array<array-key, mixed>  $values    by key
     * @param array<array-key, int>    $versions  by key
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws UnstorableValue the others are stored
     */
    public function cas(array $storeKeys, array $values, array $versions, Options $options): array
    {
        $writes = [];
        foreach ($storeKeys as $key => $storeKey) {
            $entry = $options->entry($values[$key], ($this->now)())->packed($storeKey, $this->early);
            $writes[$key] = Operation::cas($storeKey, $entry, $versions[$key], $options->life);
        }
        $outcomes = [];
        foreach (Operation::run($this->store, $writes) as $key => $outcome) {
            $outcomes[$key] = $outcome instanceof Outcome
                ? $outcome
                : throw Entry::unstorable((string) $key, $values[$key], $outcome);
        }

        return $outcomes;
    }

    /**
     * Moves both ends: the one of the freshness, in the entry, and the one of the store.
     *
     * @param array<array-key, string> $storeKeys by key
     *
     * @return array<array-key, Outcome> by key
     */
    public function touch(array $storeKeys, Options $options): array
    {
        return $this->update($storeKeys, function (Entry $old, string $storeKey) use ($options): Entry|Operation {
            if ($old->made === null) {
                return Operation::touch($storeKey, $options->life);
            }
            $new = $options->entry($old->value, ($this->now)(), $old->cost, $old->stamps);

            return new Entry($new->value, $new->freshUntil, $new->cost, $new->stamps, $old->made, $new->keptUntil);
        });
    }

    /**
     * Leaves both ends unchanged.
     *
     * @param array<array-key, string> $storeKeys by key
     * @param array<array-key, string> $suffixes  by key
     *
     * @return array<array-key, Outcome> by key
     */
    public function append(array $storeKeys, array $suffixes): array
    {
        return $this->update($storeKeys, fn(
            Entry $old,
            string $storeKey,
            int|string $key,
        ): Entry|Outcome => match (true) {
            !\is_string($old->value) || $old->made === null => Outcome::Exists,
            $old->keptUntil !== null && $old->keptUntil <= ($this->now)() => Outcome::NotFound,
            default => new Entry(
                $old->value . $suffixes[$key],
                $old->freshUntil,
                $old->cost,
                $old->stamps,
                $old->made,
                $old->keptUntil,
            ),
        });
    }

    /**
     * @param array<array-key, string> $storeKeys by key
     * @param Closure(Entry, string, array-key): (Entry|Operation<Outcome>|Outcome) $change gives the entry to store
     *     instead, what to do instead, or the outcome
     *
     * @return array<array-key, Outcome> by key
     */
    private function update(array $storeKeys, Closure $change): array
    {
        $outcomes = array_map(static fn(): Outcome => Outcome::Refused, $storeKeys);
        for ($try = 1; $storeKeys !== []; ++$try) {
            $answers = $this->read($storeKeys);
            $entries = $this->entries($answers);
            $writes = [];
            foreach ($answers as $key => $answer) {
                $new = isset($entries[$key])
                    ? $change($entries[$key], $storeKeys[$key], $key)
                    : ($answer->answered ? Outcome::NotFound : Outcome::Refused);
                if ($new instanceof Outcome) {
                    $outcomes[$key] = $new;
                } else {
                    $writes[$key] = $new instanceof Entry ? $this->replacing($storeKeys[$key], $answer, $new) : $new;
                }
            }
            $written = Operation::run($this->store, $writes);
            $storeKeys = array_intersect_key($storeKeys, array_filter(
                $written,
                static fn(mixed $outcome): bool => $outcome === Outcome::Exists && $try < self::TRIES,
            ));
            foreach ($written as $key => $outcome) {
                $outcomes[$key] = $outcome instanceof Outcome ? $outcome : throw $outcome;
            }
            if ($storeKeys !== []) {
                usleep(random_int(0, min(self::PAUSE, 100 << min($try, 9))));
            }
        }

        return $outcomes;
    }

    /** @return Operation<Outcome|UnstorableValue> */
    private function replacing(string $storeKey, Answer $old, Entry $new): Operation
    {
        $life = $new->keptUntil === null ? null : max(0.0, $new->keptUntil - ($this->now)());

        return Operation::cas($storeKey, $new->packed($storeKey, $this->early), $old->version, $life);
    }

    /**
     * @param array<array-key, string> $storeKeys by key
     *
     * @return array<array-key, Answer> by key
     */
    private function read(array $storeKeys): array
    {
        return Operation::run($this->store, array_map(Operation::read(...), $storeKeys));
    }

    /**
     * @param array<array-key, Answer> $answers
     *
     * @return array<array-key, Entry> those that are there, and made from the present data
     */
    private function entries(array $answers): array
    {
        return $this->look->allCurrent(array_map(
            static fn(Answer $answer): Entry => Entry::of($answer->value),
            array_filter($answers, static fn(Answer $answer): bool => $answer->hit),
        ));
    }
}
