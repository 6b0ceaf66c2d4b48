<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\Fork;

/**
 * One process that works until it is killed, the run ends, or it has worked for as long as a request.
 *
 * It notes when each operation began and when it last got something done. A refusal is no progress.
 */
final class MemoryWorker
{
    /** Operations between two looks at whether the parent still lives. */
    private const LOOK = 64;

    private readonly MemoryReader $reader;
    private readonly MemoryWriter $writer;
    private readonly SharedKeys $shared;

    /** @param bool $shares whether the store hands out values without copying them */
    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly MemoryKeys $keys,
        private readonly int $number,
        private readonly bool $shares,
        Findings $findings,
    ) {
        $this->reader = new MemoryReader($store, $board, $keys, $number, $findings);
        $this->writer = new MemoryWriter($store, $board, $keys, $number, $this->reader, $findings);
        $this->shared = new SharedKeys($store, $board, $keys, $number, $this->reader, $findings);
    }

    /** @param float $seconds at most; the work also ends with the run */
    public function work(float $seconds): void
    {
        $parent = posix_getppid();
        $now = (int) hrtime(true);
        $end = min($this->board->get('end'), $now + (int) ($seconds * 1e9));
        for ($operations = 1; $now < $end; ++$operations) {
            $this->board->set(WorkerCount::OperationBegan, $now, $this->number);
            $began = $now;
            $done = $this->operation();
            $now = (int) hrtime(true);
            $this->note($began, $now, $done);
            if ($operations % self::LOOK === 0) {
                if (posix_getppid() !== $parent) {
                    break;
                }
                $end = min($end, $this->board->get('end'));
            }
        }
        $this->reader->again();
    }

    /**
     * Gets every key once and writes some. After all kills the store must still be sound and take writes.
     *
     * @return int writes that the store took
     */
    public function checkAll(): int
    {
        foreach (array_chunk(range(0, $this->keys->count - 1), 50) as $some) {
            $this->reader->many($some);
        }
        $stored = 0;
        for ($i = 0; $i < 200; ++$i) {
            $stored += $this->writer->single() ? 1 : 0;
        }
        $this->reader->again();

        return $stored;
    }

    private function operation(): bool
    {
        $dice = mt_rand(1, 1000);

        return match (true) {
            $dice <= 260 => $this->writer->single(),
            $dice <= 560 => $this->writer->bulk(),
            $dice <= 650 => $this->writer->count(),
            $dice <= 730 => $this->shared->sum(),
            $dice <= 780 => $this->shared->lease(),
            $dice <= 782 => $this->shared->browse(),
            $dice === 783 => mt_rand(1, 20) > 1 || $this->store->clear() !== Outcome::Refused,
            $dice <= 786 && $this->shares => $this->fork(),
            default => $this->read($dice),
        };
    }

    private function read(int $dice): true
    {
        if ($dice <= 800) {
            $this->reader->again();
        } elseif ($dice <= 840) {
            $worker = mt_rand(0, $this->board->count(WorkerCount::Reads) - 1);
            $first = $this->keys->bulk($worker);
            // Those that are written together.
            $this->reader->many(range($first, $first + MemoryKeys::BULK - 1));
        } elseif ($dice <= 880) {
            $this->reader->many(array_map(fn(): int => $this->keys->any(), range(1, 10)));
        } else {
            for ($i = 0; $i < 8; ++$i) {
                $this->reader->one($this->keys->any());
            }
        }

        return true;
    }

    /** Forks a child, which must find the values that this process holds unchanged, even if its parent is killed. */
    private function fork(): true
    {
        $child = Fork::start(function (): void {
            for ($i = 0; $i < 3; ++$i) {
                usleep(mt_rand(0, 2000));
                $this->reader->again();
            }
        });
        $this->board->add(WorkerCount::ForksWhilePinned, index: $this->number);
        pcntl_waitpid($child, $status);

        return true;
    }

    private function note(int $began, int $now, bool $done): void
    {
        $this->board->add(WorkerCount::Operations, index: $this->number);
        $this->board->raise(WorkerCount::Slowest, $now - $began, $this->number);
        if ($done) {
            $last = $this->board->max(WorkerCount::Progressed);
            if ($last > 0) {
                $this->board->raise(WorkerCount::Gap, $now - $last, $this->number);
            }
            $this->board->set(WorkerCount::Progressed, $now, $this->number);
        }
    }
}
