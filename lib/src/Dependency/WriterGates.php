<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Answer;
use Larder\Exception\ChangeFailed;
use Larder\Outcome;
use Larder\Store;

/**
 * The gates that one writer closes: before it writes, or at the latest before COMMIT; all by compare-and-swap.
 *
 * A gate holds a list of writers, since one that opened it must not hide that another has still to commit. It ends by its ttl, and so
 * does what a dead writer closed.
 *
 * @internal
 */
final class WriterGates
{
    /** Of a gate's life, that a transaction may take: the rest is for its COMMIT to arrive. */
    private const WRITING = 0.5;

    /** Writers that may come in between. */
    private const TRIES = 200;

    private readonly Store $store;

    private readonly int $id;

    private readonly int $begun;

    private bool $checked = false;

    /** @var array<string, Answer|null> each gate as check() saw it */
    private array $gates = [];

    /** @param float $seconds that a gate lives */
    public function __construct(
        private readonly GateEntries $items,
        private readonly float $seconds,
    ) {
        $this->store = $items->store;
        $this->id = GateEntries::random();
        $this->begun = hrtime(true);
    }

    /**
     * @param list<Dependency> $names those that are closed already stay so
     *
     * @throws ChangeFailed
     */
    public function close(array $names): void
    {
        if (!$this->items->keeps()) {
            return;
        }
        foreach ($names as $name) {
            $key = GateEntries::key($name->name);
            if (!\array_key_exists($key, $this->gates)) {
                if ($this->gates === [] && $this->store->set(GateEntries::writer($this->id), 1, $this->seconds) !== Outcome::Done) {
                    throw ChangeFailed::because('the store of the versions does not answer, or is full');
                }
                $this->gates[$key] = null;
                $this->closeOne($name->name, $key);
            }
        }
    }

    /**
     * Right before COMMIT: nobody can have opened one meanwhile.
     *
     * @throws ChangeFailed
     */
    public function check(): void
    {
        foreach (array_keys($this->gates) as $key) {
            $answer = $this->store->read($key);
            if (!$answer->hit || !\in_array($this->id, GateEntries::writers($answer->value) ?? [], true)) {
                throw ChangeFailed::because('a gate was lost before the commit: the store was flushed, is too small or does not answer');
            }
            $this->gates[$key] = $answer;
        }
        if ($this->gates !== [] && !$this->store->has(GateEntries::writer($this->id))) {
            throw ChangeFailed::because('the writer\'s own mark was lost before the commit');
        }
        if (hrtime(true) - $this->begun > $this->seconds * self::WRITING * 1e9) {
            throw ChangeFailed::because(\sprintf('it took longer than %.3g s, half of what its gates live', $this->seconds * self::WRITING));
        }
        $this->checked = true;
    }

    /** Whether a COMMIT may have followed the check, or may still. */
    public function mayBeCommitted(): bool
    {
        return $this->checked;
    }

    public function isRolledBack(): void
    {
        $this->checked = false;
    }

    /**
     * Gives each name another version. What cannot be opened stays closed as long as it lives.
     *
     * @param bool $committed false: the data is as it was
     */
    public function open(bool $committed): void
    {
        if ($this->gates === []) {
            return;
        }
        $mayOpen = !$committed || $this->items->moveCounter();
        foreach ($this->gates as $key => $seen) {
            $this->openOne($key, $seen, $mayOpen);
        }
        if ($mayOpen) {
            $this->store->delete(GateEntries::writer($this->id));
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
            $outcome = $answer->hit ? $this->store->cas($key, $writers, $answer->version, $this->seconds) : $this->store->add($key, $writers, $this->seconds);
            if ($outcome === Outcome::Done) {
                return;
            }
            if ($outcome === Outcome::Refused) {
                break;
            }
            usleep(mt_rand(0, min($try, 50) * 100));
        }
        throw ChangeFailed::because(\sprintf('the gate of %s cannot be closed: the store of the versions does not answer, or is full', $name));
    }

    /** @param Answer|null $seen by check(), most often the last word: that saves a look */
    private function openOne(string $key, ?Answer $seen, bool $mayOpen): void
    {
        for ($try = 0; $try < self::TRIES; ++$try) {
            $outcome = $this->written($key, $seen ?? $this->store->read($key), $mayOpen);
            if ($outcome !== Outcome::Exists && $outcome !== Outcome::NotFound && $outcome !== Outcome::Unknown) {
                return;
            }
            $seen = null;
        }
        // It would never open: a tier may show an old gate. Others that hold this one will see that it is lost, and see to it.
        $this->store->delete($key);
    }

    /** Null: there is nothing to do. */
    private function written(string $key, Answer $seen, bool $mayOpen): ?Outcome
    {
        $held = GateEntries::writers($seen->value);
        $others = array_values(array_diff($held ?? [], [$this->id]));
        if (!$mayOpen) {
            $closed = [...$others, $this->id];

            return $seen->hit ? $this->store->cas($key, $closed, $seen->version, $this->seconds) : $this->store->add($key, $closed, $this->seconds);
        }
        if (!$seen->hit || $held === $others) {
            return null;
        }

        // Also where the gate was lost and somebody read the old data under a version of a new one.
        return $others === [] ? $this->store->cas($key, 0, $seen->version, 0.0) : $this->store->cas($key, $others, $seen->version, $this->seconds);
    }

    private function isAlive(int $writer): bool
    {
        $answer = $this->store->read(GateEntries::writer($writer));

        return $answer->hit || !$answer->answered;
    }
}
