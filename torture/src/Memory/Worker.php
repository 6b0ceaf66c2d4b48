<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\Outcome;
use Larder\SharedMemory;

/**
 * One process that works until it is killed, told to end, or has worked for as long as a request.
 *
 * It notes when each operation began and when it last got something done: what is refused is no progress.
 */
final class Worker
{
    /** Operations between two looks at whether the parent still lives. */
    private const LOOK = 64;

    private readonly Reader $reader;
    private readonly Writer $writer;
    private readonly Contender $contender;
    private readonly Tally $tally;
    private readonly int $parent;
    private int $slowest;
    private int $gap;

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly Keys $keys,
        private readonly int $seat,
        private readonly bool $shares,
        Findings $findings,
    ) {
        $this->tally = new Tally($board, $seat);
        $this->reader = new Reader($store, $board, $keys, $this->tally, $findings);
        $this->writer = new Writer($store, $board, $keys, $seat, $this->reader, $this->tally, $findings);
        $this->contender = new Contender($store, $board, $seat, $this->reader, $this->tally, $findings);
        $this->parent = posix_getppid();
        $this->slowest = $board->seat($seat, Seat::Slowest);
        $this->gap = $board->seat($seat, Seat::Gap);
    }

    /** @param float $seconds at most; it also ends when the run does */
    public function work(float $seconds): void
    {
        $now = hrtime(true);
        $end = min($this->board->house(0, House::End), $now + (int) ($seconds * 1e9));
        do {
            $this->board->noteSeat($this->seat, Seat::Operation, $now);
            $began = $now;
            $done = $this->operation();
            $now = hrtime(true);
            $this->note($began, $now, $done);
            if (++$this->tally->operations % self::LOOK === 0) {
                if (posix_getppid() !== $this->parent) {
                    break;
                }
                $end = min($end, $this->board->house(0, House::End));
            }
        } while ($now < $end);
        $this->reader->again();
        $this->tally->keep();
    }

    /** Every key once, and a write of every own single key: after all kills the store must still be sound and take them. */
    public function lookRound(): int
    {
        foreach (array_chunk(range(0, $this->keys->count - 1), 50) as $some) {
            $this->reader->many($some);
        }
        $stored = 0;
        for ($i = 0; $i < 200; ++$i) {
            $stored += $this->writer->single() ? 1 : 0;
        }
        $this->reader->again();
        $this->tally->keep();

        return $stored;
    }

    private function operation(): bool
    {
        $dice = mt_rand(1, 1000);
        if ($dice <= 260) {
            return $this->writer->single();
        }
        if ($dice <= 560) {
            return $this->writer->bulk();
        }
        if ($dice <= 650) {
            return $this->writer->count();
        }
        if ($dice <= 730) {
            return $this->contender->sum();
        }
        if ($dice <= 780) {
            return $this->contender->lease();
        }
        if ($dice <= 782) {
            return $this->contender->browse($this->keys);
        }
        if ($dice === 783) {
            return mt_rand(1, 20) > 1 || $this->store->clear() !== Outcome::Refused;
        }
        if ($dice <= 786 && $this->shares) {
            $this->fork();
        } else {
            $this->read($dice);
        }

        return true;
    }

    private function read(int $dice): void
    {
        if ($dice <= 800) {
            $this->reader->again();
        } elseif ($dice <= 840) {
            $this->reader->neighbours($this->keys->bulk(mt_rand(0, $this->board->seats - 1)), Keys::BULK);
        } elseif ($dice <= 880) {
            $this->reader->many(array_map(fn(): int => $this->keys->any(), range(1, 10)));
        } else {
            for ($i = 0; $i < 8; ++$i) {
                $this->reader->one($this->keys->any());
            }
        }
    }

    /** What this process holds goes to a child too, which must find it unchanged, whether its parent is killed meanwhile or not. */
    private function fork(): void
    {
        $child = pcntl_fork();
        if ($child > 0) {
            ++$this->tally->forks;
            pcntl_waitpid($child, $status);

            return;
        }
        for ($i = 0; $i < 3; ++$i) {
            usleep(mt_rand(0, 2000));
            $this->reader->again();
        }
        posix_kill((int) getmypid(), SIGKILL);
    }

    private function note(int $began, int $now, bool $done): void
    {
        if ($now - $began > $this->slowest) {
            $this->slowest = $now - $began;
            $this->board->noteSeat($this->seat, Seat::Slowest, $this->slowest);
        }
        if ($done) {
            $last = max($this->board->progress());
            $gap = $now - $last;
            if ($gap > $this->gap && $last > 0) {
                $this->gap = $gap;
                $this->board->noteSeat($this->seat, Seat::Gap, $gap);
            }
            $this->board->progressed($this->seat, $now);
        }
        if ($this->tally->operations % 8 === 0) {
            $this->tally->keep();
        }
    }
}
