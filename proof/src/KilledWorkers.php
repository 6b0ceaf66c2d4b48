<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use UnitEnum;

/** Forks workers in a PHP of their own, replaces those that end, and kills one every few milliseconds. */
final readonly class KilledWorkers
{
    /** Nanoseconds in one operation after which it has been counted as one that hangs, and its worker may be killed. */
    private const HUNG_AFTER = 4_000_000_000;

    /** Nanoseconds by which the kills may be late and still be caught up. */
    private const BEHIND = 500_000_000;

    /** Microseconds between two looks for workers that ended by themselves. */
    private const LOOK = 2_000;

    /**
     * @param UnitEnum                       $began  where each worker notes when its operation began; 0: there is none
     * @param array{int, int}                $after  nanoseconds between two kills
     * @param int                            $spared nanoseconds in one operation after which a worker is spared, or
     *     nothing that hangs would ever show
     * @param Closure(): (int|null)          $victim number of the worker that is to be killed; null: none
     * @param Closure(WorkerEnd, bool): void $ended  gets how each worker ended, and whether by a kill from here
     */
    public function __construct(
        private WorkerPool $pool,
        private Board $board,
        private UnitEnum $began,
        private array $after,
        private int $spared,
        private Closure $victim,
        private Closure $ended,
    ) {}

    /**
     * Says that it is ready, waits for the board's beginning, and works until its end.
     *
     * @param list<int> $numbers of the workers
     */
    public function run(array $numbers, UnitEnum|string $ready, int $place = 0): void
    {
        Signals::stop(function (): void {
            $this->pool->killAll();
        });
        $this->board->set($ready, 1, $place);
        while ($this->board->get('end') === 0) {
            usleep(1000);
        }
        array_map($this->pool->start(...), $numbers);
        $due = (int) hrtime(true);
        while (($now = (int) hrtime(true)) < $this->board->get('end')) {
            foreach ($this->pool->reap() as $end) {
                ($this->ended)($end, false);
                $this->pool->start($end->number);
            }
            if ($now >= $due) {
                $this->kill();
                $due = max($due, $now - self::BEHIND) + mt_rand(...$this->after);
            }
            usleep(max(0, min(self::LOOK, intdiv($due - (int) hrtime(true), 1000))));
        }
        $this->pool->killAll();
    }

    private function kill(): void
    {
        $number = ($this->victim)();
        $began = $number === null ? 0 : $this->board->get($this->began, $number);
        $age = $began === 0 ? 0 : hrtime(true) - $began;
        if ($number === null || ($age > $this->spared && $age < self::HUNG_AFTER)) {
            return;
        }
        $end = $this->pool->kill($number, refork: false);
        if ($end !== null) {
            ($this->ended)($end, $end->isKilled());
            $this->pool->start($number);
        }
    }
}
