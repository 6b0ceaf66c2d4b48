<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use UnitEnum;

/** What the processes share that work on one store, whose server is killed and started again meanwhile. */
abstract readonly class StoreTrial
{
    /** Milliseconds of a call to the store, and until a server that failed is asked again. */
    private const TIMEOUT = 2_000;
    private const RETRY = 50;

    /** Seconds that the processes may take to end. */
    private const PATIENCE = 240.0;

    /** Processes that may fail before they are no longer replaced. */
    private const FAILURES = 10;

    public StoreUnderTest $store;
    public Board $board;
    public Findings $findings;

    /**
     * Starts the store, empty.
     *
     * @param string             $store     its kind
     * @param string             $directory to be made
     * @param array<string, int> $series    of the board
     * @param float              $lag       seconds that the near tier may lag behind
     */
    public function __construct(
        Run $run,
        public string $name,
        public MissingGuard $missing,
        string $store,
        protected string $directory,
        array $series,
        float $lag = 0.0,
    ) {
        mkdir($directory);
        $this->findings = $run->findings();
        $this->board = Board::create(['end' => 1, ...$series]);
        $isBound = $missing !== MissingGuard::Identity;
        $this->store = new StoreUnderTest($store, $directory, 'trial', self::TIMEOUT, self::RETRY, $lag, $isBound);
        $run->atEnd($this->store->stop(...));
        $this->store->start();
        foreach ([0, 1] as $host) {
            $this->store->open($host)->clear();
        }
    }

    public function isOver(float $since = 0.0): bool
    {
        return hrtime(true) >= $this->board->get('end') + (int) ($since * 1e9);
    }

    /** Whether it was found that a guard is missing, so that nothing is left to be shown. */
    public function isMissed(): bool
    {
        return $this->missing !== MissingGuard::None && $this->findings->count() > 0;
    }

    public function count(UnitEnum $what, int $worker): void
    {
        $this->board->add($what, index: $worker);
    }

    /**
     * Lets processes work for some seconds; without a guard only until that is found.
     *
     * @param float                   $pause     seconds between two restarts of the server; 0.0: there are none
     * @param int                     $down      microseconds that it is gone at most
     * @param (Closure(): void)|null  $meanwhile called every few milliseconds
     *
     * @return int restarts
     */
    protected function try(
        WorkerPool $pool,
        int $processes,
        float $seconds,
        float $pause,
        int $down,
        ?Closure $meanwhile = null,
    ): int {
        $this->board->set('end', (int) (hrtime(true) + $seconds * 1e9));
        $pool->fill($processes);
        $due = hrtime(true) + $pause * 1e9;
        $restarts = 0;
        for ($failures = 0; $pool->numbers() !== []; usleep(2_000)) {
            if ($meanwhile !== null) {
                $meanwhile();
            }
            foreach ($pool->reap() as $end) {
                // One that killed itself has not failed.
                if (!$end->finished && !$end->isKilled()) {
                    ++$failures;
                    $this->findings->add("$this->name: process $end->number " . $end->reason());
                }
                if (!$this->isOver() && $failures < self::FAILURES) {
                    $pool->start($end->number);
                }
            }
            if ($this->isMissed() && !$this->isOver()) {
                $this->board->set('end', (int) hrtime(true));
            }
            if ($this->isOver(self::PATIENCE)) {
                $this->findings->add($this->name . ': its processes do not end');
                $pool->killAll();
            } elseif ($pause > 0.0 && hrtime(true) > $due && !$this->isOver()) {
                $due = hrtime(true) + $pause * 1e9;
                $restarts += $this->store->restart(mt_rand(0, $down)) ? 1 : 0;
            }
        }

        return $restarts;
    }
}
