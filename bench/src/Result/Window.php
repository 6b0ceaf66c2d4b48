<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** What one subject did in one block: the raw figure everything else is computed from. */
final readonly class Window
{
    /**
     * @param int             $block     from 0; windows of the same block are compared with each other
     * @param int             $position  from 0, in the block's order
     * @param float           $seconds   that the operations took: the window without its first and last tenth
     * @param int             $operations verified ones only
     * @param int             $errors    operations that ended in an error, where the test goes on after one
     * @param int             $bytes     payload moved, keys and protocol not counted
     * @param float           $clientCpu microseconds of CPU, user and system, of all workers
     * @param float           $serverCpu microseconds of CPU of the servers' processes
     * @param list<int>       $workers   operations of each worker
     * @param list<int>       $slices    operations in equal parts of the window, for the variance within a process
     * @param bool            $steady    whether the rate stood still (5 %) before the window began
     * @param float|null      $offered   operations per second that an open loop was to start; null: closed loop
     */
    public function __construct(
        public int $block,
        public int $position,
        public float $seconds,
        public int $operations,
        public int $errors,
        public int $bytes,
        public float $clientCpu,
        public float $serverCpu,
        public array $workers,
        public array $slices = [],
        public bool $steady = true,
        public ?float $offered = null,
    ) {}

    /** Operations per second of all workers together. */
    public function rate(): float
    {
        return $this->operations / $this->seconds;
    }

    /** Microseconds of CPU, client and servers, per operation; null without an operation. */
    public function cpu(): ?float
    {
        return $this->operations === 0 ? null : ($this->clientCpu + $this->serverCpu) / $this->operations;
    }
}
