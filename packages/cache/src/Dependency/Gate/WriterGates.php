<?php

declare(strict_types=1);

namespace Larder\Dependency\Gate;

use Larder\Answer;
use Larder\Dependency\Name;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;

/**
 * The gates that one writer closes, before it writes or at the latest before COMMIT. All steps are compare-and-swaps.
 *
 * A gate holds a list of writers: when one opens it, it stays closed for another that has still to commit. A gate ends
 * by its ttl, so those of a dead writer end too.
 *
 * @internal
 */
final class WriterGates
{
    /** Share of a gate's ttl that a transaction may take. In the rest its COMMIT arrives. */
    private const TRANSACTION = 0.5;

    /** How often other writers may come in between. */
    private const TRIES = 200;

    /** Microseconds to wait for each writer that holds a gate: each of them comes back to open it. */
    private const PAUSE = 200;

    private const LONGEST_PAUSE = 20_000;

    private readonly Store $store;

    private readonly int $id;

    private readonly string $mark;

    private readonly int $begun;

    private bool $checked = false;

    /** @var array<string, Answer|null> the gates as check() read them, by key */
    private array $gates = [];

    /** @param float $seconds ttl of a gate */
    public function __construct(
        private readonly GateEntries $entries,
        private readonly float $seconds,
    ) {
        $this->store = $entries->store;
        $this->id = GateEntries::random();
        $this->mark = GateEntries::writer($this->id);
        $this->begun = hrtime(true);
    }

    /**
     * @param list<Name> $names a gate that is closed already stays closed
     *
     * @throws ChangeFailed
     */
    public function close(array $names): void
    {
        $keys = $this->entries->keeps()
            ? array_map(static fn(Name $name): string => GateEntries::key($name->name), $names)
            : [];
        $keys = array_values(array_diff($keys, array_keys($this->gates)));
        if ($keys === []) {
            return;
        }
        $seen = $this->gates === [] ? $this->markedAndSeen($keys) : $this->seen($keys);
        $this->gates += array_fill_keys($keys, null);
        $dead = $this->dead($seen);
        for ($try = 0; $try < self::TRIES; ++$try) {
            $closed = [];
            foreach ($seen as $key => $answer) {
                $others = array_diff(GateEntries::writers($answer->value) ?? [], $dead, [$this->id]);
                $closed[$key] = $this->held($key, $answer, [...array_values($others), $this->id]);
            }
            $outcomes = array_filter(
                Operation::run($this->store, $closed),
                static fn(mixed $outcome): bool => $outcome !== Outcome::Done,
            );
            if ($outcomes === []) {
                return;
            }
            foreach ($outcomes as $outcome) {
                $isLost = $outcome === Outcome::Exists || $outcome === Outcome::NotFound;
                if (!$isLost && ($outcome !== Outcome::Unknown || $try === self::TRIES - 1)) {
                    throw self::noAnswer();
                }
            }
            self::pause($seen);
            $seen = $this->seen(array_keys($outcomes));
        }
        throw ChangeFailed::because('other writers changed the same names each time before a gate could be closed');
    }

    /**
     * Makes sure, right before COMMIT, that all gates were closed all the time.
     *
     * @throws ChangeFailed
     */
    public function check(): void
    {
        $seen = $this->gates === [] ? [] : $this->entries->read([...array_keys($this->gates), $this->mark]);
        foreach (array_keys($this->gates) as $key) {
            if (!\in_array($this->id, GateEntries::writers($seen[$key]->value) ?? [], true)) {
                throw ChangeFailed::because(
                    'a gate was lost before the commit: the store was flushed, is too small or does not answer',
                );
            }
            $this->gates[$key] = $seen[$key];
        }
        if ($seen !== [] && !$seen[$this->mark]->hit) {
            throw ChangeFailed::because('the writer\'s mark was lost before the commit');
        }
        if (hrtime(true) - $this->begun > $this->seconds * self::TRANSACTION * 1e9) {
            $most = $this->seconds * self::TRANSACTION;
            throw ChangeFailed::because(\sprintf('it took longer than %.3g s, half of the ttl of its gates', $most));
        }
        $this->checked = true;
    }

    /**
     * Right before COMMIT.
     *
     * @param list<Name> $names all that changes
     *
     * @throws ChangeFailed
     */
    public function closeAndCheck(array $names): void
    {
        $this->close($names);
        $this->check();
    }

    /** Whether a COMMIT may have followed the check, or may follow it yet. */
    public function mayBeCommitted(): bool
    {
        return $this->checked;
    }

    /**
     * A change has failed.
     *
     * @param bool|null  $isTakenBack false: its transaction is over, and may have been committed without check(); null:
     *     it was over before, or nobody knows
     * @param list<Name> $names all that changes
     */
    public function failed(?bool $isTakenBack, array $names): void
    {
        if ($isTakenBack === null && $this->checked) {
            // A COMMIT may still arrive.
            return;
        }
        $this->checked = false;
        if ($isTakenBack === true) {
            return;
        }
        try {
            $this->close($names);
        } catch (ChangeFailed) {
            // What can be closed is. The exception that is on its way says that the change has failed.
        }
        $this->open(true);
        $this->gates = [];
    }

    /**
     * Opens the gates, each with a new version. A gate that cannot be opened stays closed until its ttl ends.
     *
     * @param bool $committed false: the data did not change
     */
    public function open(bool $committed): void
    {
        if ($this->gates === []) {
            return;
        }
        $moved = $committed ? $this->entries->moveCounter(array_keys($this->gates), $this->seconds) : null;
        $mayOpen = !$committed || $moved !== null;
        // Whoever meets this writer in a gate without its mark removes it, which opens the gate too.
        $writes = ['moved' => $moved, $this->mark => $mayOpen ? Operation::delete($this->mark) : null];
        // As check() read them they have rarely changed, so this saves a trip.
        $seen = array_filter($this->gates);
        $seen += $this->entries->read(array_keys(array_diff_key($this->gates, $seen)));
        for ($try = 0; $try < self::TRIES; ++$try) {
            foreach ($seen as $key => $answer) {
                $writes[$key] = $this->opened($key, $answer, $mayOpen);
            }
            $outcomes = Operation::run($this->store, array_filter($writes));
            $lost = array_keys(array_intersect_key($seen, array_filter(
                $outcomes,
                static fn(mixed $outcome): bool => $outcome !== Outcome::Done && $outcome !== Outcome::Refused,
            )));
            if ($lost === []) {
                return;
            }
            self::pause($seen);
            $seen = $this->entries->read($lost);
            $writes = [];
        }
        // A tier may show an old gate again and again. Other writers that hold this gate notice that it was deleted.
        $this->store->deleteMultiple(array_keys($seen));
    }

    /**
     * The first look at gates, in one trip with the mark of this writer, without which others take it for dead.
     *
     * @param list<string> $keys
     *
     * @return array<string, Answer>
     *
     * @throws ChangeFailed
     */
    private function markedAndSeen(array $keys): array
    {
        $results = Operation::run($this->store, [
            $this->mark => Operation::set($this->mark, 1, $this->seconds),
            ...GateEntries::reads($keys),
        ]);
        $seen = [];
        foreach ($keys as $key) {
            $answer = $results[$key];
            $seen[$key] = $answer instanceof Answer && $answer->answered ? $answer : throw self::noAnswer();
        }

        return $results[$this->mark] === Outcome::Done ? $seen : throw self::noAnswer();
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, Answer>
     *
     * @throws ChangeFailed
     */
    private function seen(array $keys): array
    {
        $seen = $this->entries->read($keys);
        foreach ($seen as $answer) {
            if (!$answer->answered) {
                throw self::noAnswer();
            }
        }

        return $seen;
    }

    /**
     * The writers in these gates that have no mark. A writer that comes later is alive: it came a moment ago.
     *
     * @param array<string, Answer> $gates
     *
     * @return list<int>
     */
    private function dead(array $gates): array
    {
        $marks = [];
        foreach ($gates as $gate) {
            foreach (GateEntries::writers($gate->value) ?? [] as $writer) {
                $marks[GateEntries::writer($writer)] = $writer;
            }
        }
        $dead = array_filter(
            $this->entries->read(array_keys($marks)),
            static fn(Answer $mark): bool => $mark->answered && !$mark->hit,
        );

        return array_values(array_intersect_key($marks, $dead));
    }

    /** @return Operation<Outcome|UnstorableValue>|null null: there is nothing to write */
    private function opened(string $key, Answer $seen, bool $mayOpen): ?Operation
    {
        $held = GateEntries::writers($seen->value);
        $others = array_values(array_diff($held ?? [], [$this->id]));
        if (!$mayOpen) {
            return $this->held($key, $seen, [...$others, $this->id]);
        }
        if (!$seen->hit || $held === $others) {
            return null;
        }

        // This also ends a version that a reader gave to old data after this gate was lost.
        return $others === []
            ? Operation::cas($key, 0, $seen->version, 0.0)
            : $this->held($key, $seen, $others);
    }

    /**
     * @param list<int> $writers
     *
     * @return Operation<Outcome|UnstorableValue>
     */
    private function held(string $key, Answer $seen, array $writers): Operation
    {
        return $seen->hit
            ? Operation::cas($key, $writers, $seen->version, $this->seconds)
            : Operation::add($key, $writers, $this->seconds);
    }

    /** @param array<string, Answer> $seen gates, of which some moved before this writer's write */
    private static function pause(array $seen): void
    {
        $writers = array_map(static fn(Answer $gate): int => \count(GateEntries::writers($gate->value) ?? []), $seen);
        usleep(mt_rand(0, min(self::LONGEST_PAUSE, self::PAUSE * (1 + max(0, ...array_values($writers))))));
    }

    private static function noAnswer(): ChangeFailed
    {
        return ChangeFailed::because('the store of the versions does not answer, or is full');
    }
}
