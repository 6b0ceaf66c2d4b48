<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;
use Throwable;

/** The processes of a slice: where one dies by its own hand, another takes its seat. */
final class Nursery
{
    /** Seconds that they may take to end. */
    private const PATIENCE = 20.0;

    /** More that fail are a failure of all. */
    private const FAILED = 10;

    private int $failed = 0;

    /** @var array<int, int> process by seat */
    private array $processes = [];

    private int $lives = 0;

    /** @param non-empty-list<Closure(int): void> $work by seat, which it takes */
    public function __construct(private readonly Slice $slice, private readonly int $seed, private readonly array $work) {}

    /** @param Closure(): void $now is called again and again */
    public function run(Closure $now): void
    {
        foreach (array_keys($this->work) as $seat) {
            $this->fork($seat);
        }
        $deadline = $this->slice->score->end() + (int) (self::PATIENCE * 1e9);
        while ($this->processes !== []) {
            $this->reap();
            if (!$this->slice->isOver()) {
                $now();
            } elseif (hrtime(true) > $deadline) {
                $this->slice->findings->add($this->slice->setting->name . ': its processes do not end');
                $this->killAll();
            }
            usleep(2_000);
        }
    }

    public function killAll(): void
    {
        foreach ($this->processes as $process) {
            posix_kill($process, SIGKILL);
            pcntl_waitpid($process, $status);
        }
        $this->processes = [];
    }

    private function reap(): void
    {
        foreach ($this->processes as $seat => $process) {
            if (pcntl_waitpid($process, $status, WNOHANG) !== $process) {
                continue;
            }
            unset($this->processes[$seat]);
            $status = \is_int($status) ? $status : 0;
            if (!pcntl_wifsignaled($status) || pcntl_wtermsig($status) !== SIGKILL) {
                ++$this->failed;
                $this->slice->findings->add(\sprintf('%s: the process on seat %d ended with status %d', $this->slice->setting->name, $seat, $status));
            }
            if (!$this->slice->isOver() && $this->failed < self::FAILED) {
                $this->fork($seat);
            }
        }
    }

    private function fork(int $seat): void
    {
        $life = ++$this->lives;
        $process = pcntl_fork();
        if ($process === 0) {
            foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
                pcntl_signal($signal, SIG_DFL);
            }
            mt_srand($this->seed + 1000 * $life + $seat);
            try {
                ($this->work[$seat])($seat);
            } catch (Throwable $failure) {
                $this->slice->findings->add(\sprintf('%s: a process failed: %s at %s:%d', $this->slice->setting->name, $failure->getMessage(), basename($failure->getFile()), $failure->getLine()));
                exit(1);
            }
            // Without the destructors: it has its parent's connections too.
            posix_kill((int) getmypid(), SIGKILL);
        }
        $this->processes[$seat] = $process;
    }
}
