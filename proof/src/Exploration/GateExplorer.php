<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** Plays a GateSystem in every order of moves, visits each state once, and ends at the first stale one. */
final class GateExplorer
{
    public int $states = 0;

    /** @var array<string, true> */
    private array $seen = [];

    public function __construct(private readonly GateScenario $scenario) {}

    /** @return list<string>|null the moves that lead to a stale value; null: there are none */
    public function search(): ?array
    {
        /** @var list<list<string>> $schedules still to be played */
        $schedules = [[]];
        while (($schedule = array_pop($schedules)) !== null) {
            $system = new GateSystem($this->scenario);
            foreach ($schedule as $move) {
                $system->move($move);
            }
            if ($system->isStale()) {
                return $schedule;
            }
            $state = $system->state();
            if (isset($this->seen[$state])) {
                continue;
            }
            $this->seen[$state] = true;
            ++$this->states;
            foreach ($system->moves() as $move) {
                $schedules[] = [...$schedule, $move];
            }
        }

        return null;
    }
}
