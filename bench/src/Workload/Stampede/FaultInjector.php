<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Remembering;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;

/** Makes the fault of a scenario happen while the workers read. It follows the log of computes to find the moment. */
final class FaultInjector
{
    /**
     * When the last expiry's first compute began. A compute that begins Scenario::apart() later belongs to the next.
     */
    private int $first = 0;

    /** When the fault is due, on the clock of hrtime(); null: none is. */
    private ?int $due = null;
    private int $winner = 0;

    /** @var list<WorkerEnd> of the workers that it killed */
    private array $ends = [];

    public function __construct(
        private readonly Scenario $scenario,
        private readonly Board $board,
        private readonly ComputeLog $log,
        private readonly WorkerPool $workers,
        private readonly Remembering $subject,
        private readonly string $key,
    ) {}

    /** The caller calls this every few milliseconds. */
    public function look(): void
    {
        foreach ($this->log->news() as $line) {
            if (!$line->ended && $line->time - $this->first > $this->scenario->apart() * 1e9) {
                $this->first = $line->time;
                $this->winner = $line->worker;
                $this->due = $this->dueAfter($line);
            }
        }
        if ($this->due !== null && hrtime(true) >= $this->due) {
            $this->due = null;
            $this->inject();
        }
    }

    /** @return list<WorkerEnd> of the workers that it killed */
    public function ends(): array
    {
        return $this->ends;
    }

    private function dueAfter(Compute $first): ?int
    {
        [$compute, $apart] = [$this->scenario->compute, $this->scenario->apart()];
        $seconds = match ($this->scenario->fault) {
            // The parent makes the first value before the workers read: it must not be killed, and no worker computes.
            Fault::Killed, Fault::Deleted => $first->worker < 0 ? null : $compute / 2,
            // Long after the compute and long before the end of the value.
            Fault::Evicted => $compute + ($apart - $compute) * 1.5,
            Fault::Slow => $apart,
            Fault::None, Fault::Cold => null,
        };

        return $seconds === null ? null : $first->time + (int) ($seconds * 1e9);
    }

    private function inject(): void
    {
        match ($this->scenario->fault) {
            Fault::Killed => $this->kill(),
            Fault::Slow => $this->board->set(Stampede::SLOW, 1),
            Fault::Evicted => $this->subject->forget($this->key),
            Fault::Deleted => $this->change(),
            Fault::None, Fault::Cold => null,
        };
    }

    private function kill(): void
    {
        $end = $this->workers->kill($this->winner, refork: false);
        if ($end !== null) {
            $this->ends[] = $end;
        }
    }

    /**
     * Does what a writer does: it changes the data, deletes what was made from it, and only then announces the change.
     */
    private function change(): void
    {
        $generation = $this->board->get(Stampede::GENERATION) + 1;
        $this->board->set(Stampede::GENERATION, $generation);
        $this->subject->forget($this->key);
        $this->board->set(Stampede::ANNOUNCED, $generation);
    }
}
