<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Closure;
use RuntimeException;
use Throwable;

/** Keeps every seat taken: forks another process where one was killed. */
final class Nursery
{
    private const PATIENCE = 20.0;

    /** More that end by themselves are a failure of all. */
    private const ENDED = 20;

    /** @var array<int, int> process by life */
    private array $processes = [];

    /** @var array<int, int> by life */
    private array $seats = [];

    private int $lives = 0;

    private int $ended = 0;

    /** @param Closure(int, int): void $work takes seat and life */
    public function __construct(private readonly int $seed, private readonly Diary $diary, private readonly Closure $work) {}

    public function fill(int $seats): void
    {
        for ($seat = 0; $seat < $seats; ++$seat) {
            $this->fork($seat);
        }
    }

    /**
     * Who ended by itself has failed.
     *
     * @throws RuntimeException if that happens again and again
     */
    public function reap(): void
    {
        foreach ($this->processes as $life => $process) {
            if (pcntl_waitpid($process, $status, WNOHANG) === $process) {
                $this->diary->note(Kind::Wrong, life: $life, word: 'a process ended by itself');
                if (++$this->ended > self::ENDED) {
                    $wrong = array_filter($this->diary->all(), static fn(Line $line): bool => $line->kind === Kind::Wrong);
                    throw new RuntimeException('Processes end by themselves: ' . (array_pop($wrong)->word ?? ''));
                }
                $this->fork($this->forget($life));
            }
        }
    }

    /** @return bool false: it is gone already */
    public function kill(int $life): bool
    {
        $process = $this->processes[$life] ?? null;
        if ($process === null) {
            return false;
        }
        $this->diary->note(Kind::Killed, life: $life);
        posix_kill($process, SIGKILL);
        pcntl_waitpid($process, $status);
        $this->fork($this->forget($life));

        return true;
    }

    public function any(): int
    {
        return $this->processes === [] ? 0 : array_rand($this->processes);
    }

    /** They end by themselves once the run is over. */
    public function end(): void
    {
        $deadline = microtime(true) + self::PATIENCE;
        foreach ($this->processes as $process) {
            while (pcntl_waitpid($process, $status, WNOHANG) === 0) {
                if (microtime(true) > $deadline) {
                    posix_kill($process, SIGKILL);
                }
                usleep(2_000);
            }
        }
        $this->processes = [];
    }

    public function killAll(): void
    {
        foreach ($this->processes as $process) {
            posix_kill($process, SIGKILL);
            pcntl_waitpid($process, $status);
        }
        $this->processes = [];
    }

    private function forget(int $life): int
    {
        $seat = $this->seats[$life];
        unset($this->processes[$life], $this->seats[$life]);

        return $seat;
    }

    private function fork(int $seat): void
    {
        $life = ++$this->lives;
        $process = pcntl_fork();
        if ($process === 0) {
            foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
                pcntl_signal($signal, SIG_DFL);
            }
            mt_srand($this->seed + $life);
            try {
                ($this->work)($seat, $life);
            } catch (Throwable $failure) {
                $this->diary->note(Kind::Wrong, life: $life, word: 'a process failed: ' . $failure->getMessage() . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
            }
            // Without the destructors: it has its parent's connections too.
            posix_kill((int) getmypid(), SIGKILL);
            exit(1);
        }
        $this->processes[$life] = $process;
        $this->seats[$life] = $seat;
    }
}
