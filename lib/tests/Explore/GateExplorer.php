<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

/** Plays a GateScene in every order, each state once, until one is stale. */
final class GateExplorer
{
    public int $states = 0;

    /** @var array<string, true> */
    private array $seen = [];

    public function __construct(private readonly GateSetting $setting) {}

    /** @return list<string>|null the moves that lead to a stale value; null: there are none */
    public function search(): ?array
    {
        /** @var list<list<string>> $schedules still to be played */
        $schedules = [[]];
        while (($schedule = array_pop($schedules)) !== null) {
            $scene = new GateScene($this->setting);
            foreach ($schedule as $move) {
                $scene->move($move);
            }
            if ($scene->isStale()) {
                return $schedule;
            }
            $state = $scene->state();
            if (isset($this->seen[$state])) {
                continue;
            }
            $this->seen[$state] = true;
            ++$this->states;
            foreach ($scene->moves() as $move) {
                $schedules[] = [...$schedule, $move];
            }
        }

        return null;
    }
}
