<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Answer;
use Larder\Exception\ChangeFailed;
use Larder\Outcome;
use Larder\Store;

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

    /** How often another writer may come in between. */
    private const TRIES = 200;

    private readonly Store $store;

    private readonly int $id;

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
        $this->begun = hrtime(true);
    }

    /**
     * @param list<Dependency> $names a gate that is closed already stays closed
     *
     * @throws ChangeFailed
     */
    public function close(array $names): void
    {
        if (!$this->entries->keeps()) {
            return;
        }
        foreach ($names as $name) {
            $key = GateEntries::key($name->name);
            if (!\array_key_exists($key, $this->gates)) {
                if ($this->gates === []) {
                    $this->mark();
                }
                $this->gates[$key] = null;
                $this->closeOne($name->name, $key);
            }
        }
    }

    /**
     * Makes sure, right before COMMIT, that all gates were closed all the time.
     *
     * @throws ChangeFailed
     */
    public function check(): void
    {
        foreach (array_keys($this->gates) as $key) {
            $answer = $this->store->read($key);
            if (!$answer->hit || !\in_array($this->id, GateEntries::writers($answer->value) ?? [], true)) {
                throw ChangeFailed::because(
                    'a gate was lost before the commit: the store was flushed, is too small or does not answer',
                );
            }
            $this->gates[$key] = $answer;
        }
        if ($this->gates !== [] && !$this->store->has(GateEntries::writer($this->id))) {
            throw ChangeFailed::because('the writer\'s mark was lost before the commit');
        }
        if (hrtime(true) - $this->begun > $this->seconds * self::TRANSACTION * 1e9) {
            $most = $this->seconds * self::TRANSACTION;
            throw ChangeFailed::because(\sprintf('it took longer than %.3g s, half of the ttl of its gates', $most));
        }
        $this->checked = true;
    }

    /** Whether a COMMIT may have followed the check, or may follow it yet. */
    public function mayBeCommitted(): bool
    {
        return $this->checked;
    }

    public function isRolledBack(): void
    {
        $this->checked = false;
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
        $mayOpen = !$committed || $this->entries->moveCounter(array_keys($this->gates), $this->seconds);
        foreach ($this->gates as $key => $seen) {
            $this->openOne($key, $seen, $mayOpen);
        }
        if ($mayOpen) {
            $this->store->delete(GateEntries::writer($this->id));
        }
    }

    /** @throws ChangeFailed */
    private function mark(): void
    {
        if ($this->store->set(GateEntries::writer($this->id), 1, $this->seconds) !== Outcome::Done) {
            throw ChangeFailed::because('the store of the versions does not answer, or is full');
        }
    }

    private function closeOne(string $name, string $key): void
    {
        for ($try = 0; $try < self::TRIES; ++$try) {
            $answer = $this->store->read($key);
            if (!$answer->answered) {
                break;
            }
            $writers = array_values(array_filter(GateEntries::writers($answer->value) ?? [], $this->isAlive(...)));
            $writers[] = $this->id;
            $outcome = $answer->hit
                ? $this->store->cas($key, $writers, $answer->version, $this->seconds)
                : $this->store->add($key, $writers, $this->seconds);
            if ($outcome === Outcome::Done) {
                return;
            }
            if ($outcome === Outcome::Refused) {
                break;
            }
            usleep(mt_rand(0, min($try, 50) * 100));
        }
        throw ChangeFailed::because(
            \sprintf('the gate of %s cannot be closed: the store of the versions does not answer, or is full', $name),
        );
    }

    /** @param Answer|null $seen the gate as check() read it. It has rarely changed, so this saves a read */
    private function openOne(string $key, ?Answer $seen, bool $mayOpen): void
    {
        for ($try = 0; $try < self::TRIES; ++$try) {
            $outcome = $this->written($key, $seen ?? $this->store->read($key), $mayOpen);
            if ($outcome !== Outcome::Exists && $outcome !== Outcome::NotFound && $outcome !== Outcome::Unknown) {
                return;
            }
            $seen = null;
        }
        // A tier may show an old gate again and again. Other writers that hold this gate notice that it was deleted.
        $this->store->delete($key);
    }

    /** @return Outcome|null null: there is nothing to write */
    private function written(string $key, Answer $seen, bool $mayOpen): ?Outcome
    {
        $held = GateEntries::writers($seen->value);
        $others = array_values(array_diff($held ?? [], [$this->id]));
        if (!$mayOpen) {
            $closed = [...$others, $this->id];

            return $seen->hit
                ? $this->store->cas($key, $closed, $seen->version, $this->seconds)
                : $this->store->add($key, $closed, $this->seconds);
        }
        if (!$seen->hit || $held === $others) {
            return null;
        }

        // This also ends a version that a reader gave to old data after this gate was lost.
        return $others === []
            ? $this->store->cas($key, 0, $seen->version, 0.0)
            : $this->store->cas($key, $others, $seen->version, $this->seconds);
    }

    private function isAlive(int $writer): bool
    {
        $answer = $this->store->read(GateEntries::writer($writer));

        return $answer->hit || !$answer->answered;
    }
}
