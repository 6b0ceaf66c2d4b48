<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Remembering;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;

/**
 * Makes the fault of a scenario happen while the workers read. It follows the log of computes to find the moment.
 *
 * @phpstan-import-type Compute from ComputeLog
 */
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
            if (!$line['ended'] && $line['time'] - $this->first > $this->scenario->apart() * 1e9) {
                $this->first = $line['time'];
                $this->winner = $line['worker'];
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

    /** @param Compute $first */
    private function dueAfter(array $first): ?int
    {
        [$compute, $apart] = [$this->scenario->compute, $this->scenario->apart()];
        $seconds = match ($this->scenario->fault) {
            // The parent makes the first value before the workers read: it must not be killed, and no worker computes.
            Scenario::KILLED, Scenario::DELETED => $first['worker'] < 0 ? null : $compute / 2,
            // Long after the compute and long before the end of the value.
            Scenario::EVICTED => $compute + ($apart - $compute) * 1.5,
            Scenario::SLOW => $apart,
            Scenario::NO_FAULT, Scenario::COLD => null,
        };

        return $seconds === null ? null : $first['time'] + (int) ($seconds * 1e9);
    }

    private function inject(): void
    {
        match ($this->scenario->fault) {
            Scenario::KILLED => $this->kill(),
            Scenario::SLOW => $this->board->set(Stampede::SLOW, 1),
            Scenario::EVICTED => $this->subject->forget($this->key),
            Scenario::DELETED => $this->change(),
            Scenario::NO_FAULT, Scenario::COLD => null,
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
