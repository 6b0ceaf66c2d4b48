<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Remembering;

/** Makes a course's fault happen while the others read: it looks at the log of computes, as nobody else could. */
final class FaultInjector
{
    /** Computes that begin further apart than Scenario::apart() belong to two expiries: of the last one, the first. */
    private int $first = 0;

    /** When something is due, on the clock of hrtime(); null: nothing is. */
    private ?int $due = null;
    private int $winner = 0;

    public function __construct(
        private readonly Scenario $scenario,
        private readonly Board $board,
        private readonly ComputeLog $log,
        private readonly Crowd $crowd,
        private readonly Remembering $subject,
        private readonly string $key,
    ) {}

    /** To be called every few milliseconds. */
    public function look(): void
    {
        foreach ($this->log->news() as $line) {
            if (!$line->ended && $line->time - $this->first > $this->scenario->apart() * 1e9) {
                $this->first = $line->time;
                $this->expired($line);
            }
        }
        if ($this->due !== null && hrtime(true) >= $this->due) {
            $this->due = null;
            $this->strike();
        }
    }

    private function expired(Compute $first): void
    {
        $this->winner = $first->worker;
        $this->due = match ($this->scenario->fault) {
            // The very first is made before the others read: there is nobody to kill, and nothing under way.
            Fault::Killed, Fault::Deleted => $first->worker < 0 ? null : $first->time + (int) ($this->scenario->compute / 2 * 1e9),
            // Long after its compute, long before its end.
            Fault::Evicted => $first->time + (int) (($this->scenario->compute + ($this->scenario->apart() - $this->scenario->compute) * 1.5) * 1e9),
            Fault::Slow => $first->time + (int) ($this->scenario->apart() * 1e9),
            Fault::None, Fault::Cold => null,
        };
    }

    private function strike(): void
    {
        match ($this->scenario->fault) {
            Fault::Killed => $this->crowd->kill($this->winner),
            Fault::Slow => $this->board->put(Board::SLOW, 1),
            Fault::Evicted => $this->subject->forget($this->key),
            Fault::Deleted => $this->change(),
            Fault::None, Fault::Cold => null,
        };
    }

    /** As a writer does it: first the data, then what was made from it; only then it is done. */
    private function change(): void
    {
        $generation = $this->board->get(Board::DATA) + 1;
        $this->board->put(Board::DATA, $generation);
        $this->subject->forget($this->key);
        $this->board->put(Board::DONE, $generation);
    }
}
