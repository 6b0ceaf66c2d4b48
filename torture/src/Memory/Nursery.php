<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\SharedMemory;

/**
 * Forks the workers of some seats, kills one in the middle of its work every few milliseconds and forks another into
 * its place.
 *
 * A worker that shares is a short request: what it has got holds back whatever is freed until it ends. One that copies goes on
 * until it is killed, and the last of those is mostly spared, so that one always lives long.
 */
final class Nursery
{
    /** Nanoseconds between two kills. */
    private const KILL_AFTER = [4_000_000, 22_000_000];

    /** Seconds that a worker which shares works at most. */
    private const REQUEST = [0.005, 0.025];

    /** Nanoseconds: one that has been in an operation for so long is left alone, or no wedge would ever show ... */
    private const SPARED_AFTER = 100_000_000;

    /** ... until it has been counted as one. */
    private const WEDGED_AFTER = 4_000_000_000;

    /** Nanoseconds that it may be behind with its kills and still catch up. */
    private const BEHIND = 500_000_000;

    /** Microseconds between two looks for workers that ended by themselves. */
    private const LOOK = 2_000;

    private const FAULT_SHARE = 8;
    private const LONG_LIVED_SHARE = 40;

    /** @var array<int, array{pid: int, born: int, fault: bool}> by seat; born: nanoseconds */
    private array $workers = [];

    private int $lives = 0;

    private readonly Keys $keys;
    private readonly Findings $findings;

    /** @param non-empty-list<int> $seats */
    public function __construct(
        private readonly Plan $plan,
        private readonly Board $board,
        private readonly int $house,
        private readonly array $seats,
        private readonly bool $shares,
    ) {
        $this->keys = new Keys($plan->keys, $plan->seats);
        $this->findings = $plan->findings();
    }

    public function run(): void
    {
        mt_srand($this->plan->seed + $this->house);
        pcntl_async_signals(true);
        pcntl_signal(SIGTERM, function (): never {
            $this->end();
            exit(0);
        });
        (new Specimen(0, 0))->text(0);
        $this->board->noteHouse($this->house, House::Ready, 1);
        $end = 0;
        while ($end === 0) {
            usleep(1000);
            $end = $this->board->house(0, House::End);
        }
        array_map($this->seat(...), $this->seats);
        $now = $due = (int) hrtime(true);
        while ($now < $end) {
            $this->reap();
            if ($now >= $due) {
                $this->kill();
                $due = max($due, $now - self::BEHIND) + mt_rand(...self::KILL_AFTER);
            }
            usleep(max(0, min(self::LOOK, intdiv($due - (int) hrtime(true), 1000))));
            $now = (int) hrtime(true);
            $end = $this->board->house(0, House::End);
        }
        $this->end();
    }

    /** After all workers are gone: every key is looked at, the store is asked how it fared, and emptied. */
    public function lookRound(): void
    {
        $store = new SharedMemory();
        $stored = (new Worker($store, $this->board, $this->keys, $this->seats[0], $this->shares, $this->findings))->lookRound();
        if ($stored === 0) {
            $this->findings->add('after the last kill the store takes nothing any more');
        }
        file_put_contents($this->plan->info(), json_encode($store->info(), JSON_PARTIAL_OUTPUT_ON_ERROR));
        $store->clear();
        for ($i = 0; $i < $this->keys->count; ++$i) {
            $store->set('left', $i);
        }
        $store->clear();
        $left = $store->info()['bytesUsed'];
        $this->board->noteHouse($this->house, House::Left, \is_int($left) ? $left : 0);
    }

    private function seat(int $seat): void
    {
        $born = (int) hrtime(true);
        $this->board->noteSeat($seat, Seat::Operation, $born);
        $seed = $this->plan->seed + 1000 * ++$this->lives + $seat;
        $fault = $this->plan->faults !== [] && mt_rand(1, self::FAULT_SHARE) === 1;
        $child = pcntl_fork();
        if ($child === 0) {
            pcntl_signal(SIGTERM, SIG_DFL);
            mt_srand($seed);
            if ($fault) {
                putenv('LARDER_FAULT=' . $this->plan->faults[array_rand($this->plan->faults)] . ':' . mt_rand(1, 300));
            }
            $this->work($seat);
        }
        $this->workers[$seat] = ['pid' => $child, 'born' => $born, 'fault' => $fault];
    }

    private function work(int $seat): never
    {
        try {
            $worker = new Worker(new SharedMemory(), $this->board, $this->keys, $seat, $this->shares, $this->findings);
            $worker->work($this->shares ? mt_rand((int) (1000 * self::REQUEST[0]), (int) (1000 * self::REQUEST[1])) / 1000 : 86_400.0);
        } catch (\Throwable $failure) {
            $this->findings->add('a worker failed: ' . $failure->getMessage() . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
        }
        exit(0);
    }

    /** Forks anew where a worker is gone by itself. */
    private function reap(): void
    {
        foreach ($this->workers as $seat => $worker) {
            if (pcntl_waitpid($worker['pid'], $status, WNOHANG) === $worker['pid']) {
                $this->ended($worker['fault'], \is_int($status) ? $status : 0);
                $this->seat($seat);
            }
        }
    }

    private function kill(): void
    {
        $spared = !$this->shares && mt_rand(1, self::LONG_LIVED_SHARE) > 1 ? max($this->seats) : -1;
        $working = array_filter($this->workers, fn(array $worker, int $seat): bool => $seat !== $spared && $this->board->seat($seat, Seat::Operation) !== $worker['born'], ARRAY_FILTER_USE_BOTH);
        if ($working === []) {
            return;
        }
        $seat = array_rand($working);
        $age = hrtime(true) - $this->board->seat($seat, Seat::Operation);
        if ($age > self::SPARED_AFTER && $age < self::WEDGED_AFTER) {
            return;
        }
        ['pid' => $pid, 'fault' => $fault] = $this->workers[$seat];
        posix_kill($pid, SIGKILL);
        pcntl_waitpid($pid, $status);
        $status = \is_int($status) ? $status : 0;
        if (pcntl_wifsignaled($status) && pcntl_wtermsig($status) === SIGKILL) {
            $this->board->add($this->house, House::Kills);
        } else {
            $this->ended($fault, $status);
        }
        $this->seat($seat);
    }

    private function ended(bool $fault, int $status): void
    {
        if (pcntl_wifexited($status) && pcntl_wexitstatus($status) === 0) {
            $this->board->add($this->house, House::Ends);
        } elseif ($fault && pcntl_wifsignaled($status) && pcntl_wtermsig($status) === SIGKILL) {
            $this->board->add($this->house, House::Faults);
        } else {
            $this->findings->add(pcntl_wifsignaled($status) ? 'a worker died of signal ' . pcntl_wtermsig($status) : 'a worker ended with code ' . pcntl_wexitstatus($status));
        }
    }

    private function end(): void
    {
        foreach ($this->workers as $worker) {
            posix_kill($worker['pid'], SIGKILL);
            pcntl_waitpid($worker['pid'], $status);
        }
        $this->workers = [];
    }
}
