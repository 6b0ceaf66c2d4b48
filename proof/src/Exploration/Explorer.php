<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/**
 * Walks through every state that a PageSystem can reach, depth first.
 *
 * A fiber cannot be copied. To go back, the schedule is played again from the first state.
 */
final class Explorer
{
    /** @var array<string, true> fingerprints */
    private array $seen = [];

    /** @var array<string, true> */
    private array $sights = [];

    private int $transitions = 0;

    /** @var array<value-of<Violation>, int> */
    private array $violations = [];

    /** @var array<value-of<Violation>, list<Move>> */
    private array $schedules = [];

    /** @var array<value-of<Violation>, string> */
    private array $reasons = [];

    /** @param Violation|null $sought ends at the first state in which this is so; null: walks through all */
    public function __construct(
        private readonly PageSystem $system,
        private readonly ?Violation $sought = null,
    ) {}

    public function explore(): Exploration
    {
        $this->system->play([]);
        $this->arrive([]);
        $this->system->bury();

        $sights = array_keys($this->sights);
        sort($sights);

        return new Exploration(
            \count($this->seen),
            $this->transitions,
            $sights,
            $this->violations,
            $this->schedules,
            $this->reasons,
        );
    }

    /** @param list<Move> $path at whose end the scene stands */
    private function arrive(array $path): void
    {
        $state = $this->system->look();
        $fingerprint = $this->system->fingerprint($state);
        if (isset($this->seen[$fingerprint])) {
            return;
        }
        $this->seen[$fingerprint] = true;
        $this->sights[$state->sight()] = true;
        $this->judge($state, $path);
        $moves = $this->system->moves();
        if ($moves === [] && $state->place->served !== []) {
            $this->judge(
                $this->system->changeOnceMore(),
                [...$path, new Move('one more writer', Event::Step, 'changes the row')],
            );
        }
        $this->leave($path, $moves, $this->deaths($state));
    }

    /**
     * @param list<Move>            $path
     * @param list<Move>            $moves
     * @param array<string, string> $deaths
     */
    private function leave(array $path, array $moves, array $deaths): void
    {
        $there = true;
        while ($moves !== [] && !isset($this->violations[$this->sought?->value])) {
            // A search is shorter with writers first; a walk visits all states in any order.
            $move = $this->sought === null ? array_shift($moves) : array_pop($moves);
            if ($move->event === Event::Die && isset($this->seen[$deaths[$move->process]])) {
                ++$this->transitions;
                continue;
            }
            if (!$there) {
                $this->system->play($path);
            }
            $there = !$this->system->move($move);
            if ($there) {
                $moves[] = new Move($move->process, Event::GiveUp, $move->step);
            } else {
                ++$this->transitions;
                $this->arrive([...$path, $move]);
            }
        }
    }

    /**
     * A death changes only locks, so the state after it is known before it is played. Most of these states are known.
     *
     * @return array<string, string> fingerprint of each process's death
     */
    private function deaths(StorageState $state): array
    {
        $deaths = [];
        foreach ($this->system->moves() as $move) {
            if ($move->event === Event::Die) {
                $deaths[$move->process] = $this->system->fingerprint($state, $move->process);
            }
        }

        return $deaths;
    }

    /** @param list<Move> $path */
    private function judge(StorageState $state, array $path): void
    {
        foreach ($state->violations() as $violation => $reason) {
            $this->violations[$violation] = ($this->violations[$violation] ?? 0) + 1;
            $this->schedules[$violation] ??= $path;
            $this->reasons[$violation] ??= $reason;
        }
    }
}
