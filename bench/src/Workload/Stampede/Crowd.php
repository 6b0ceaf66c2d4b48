<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Closure;
use Larder\Bench\Workload\CrewFailed;
use Larder\Bench\Workload\Thrown;
use Throwable;

/** Forked workers of which some may be killed: their results are those of the others. None outlives this object's end(). */
final class Crowd
{
    /** @var array<int, int> pid by worker */
    private array $pids = [];

    /** @var array<int, true> workers that were killed on purpose */
    private array $killed = [];

    /** In front of a worker's number, the file of its result. */
    private readonly string $file;

    /**
     * @param string               $directory for results
     * @param Closure(int): Visits $work      runs in the worker
     */
    public function __construct(private readonly int $workers, string $directory, Closure $work)
    {
        $this->file = \sprintf('%s/visits-%d-', $directory, getmypid());
        for ($worker = 0; $worker < $workers; ++$worker) {
            $pid = pcntl_fork();
            if ($pid === -1) {
                throw new CrewFailed(\sprintf('worker %d could not be forked', $worker));
            }
            if ($pid === 0) {
                $this->pids = [];
                self::child($this->file . $worker, static fn(): Visits => $work($worker));
            }
            $this->pids[$worker] = $pid;
        }
    }

    public function __destruct()
    {
        $this->end();
    }

    public function kill(int $worker): void
    {
        if (isset($this->pids[$worker])) {
            $this->killed[$worker] = true;
            posix_kill($this->pids[$worker], SIGKILL);
        }
    }

    public function killed(): int
    {
        return \count($this->killed);
    }

    /**
     * Throws what a worker has thrown, as soon as it has.
     *
     * @throws Throwable
     */
    public function mustBeWell(): void
    {
        foreach ($this->pids as $worker => $pid) {
            if (pcntl_waitpid($pid, $status, WNOHANG) === $pid) {
                unset($this->pids[$worker]);
                if (!isset($this->killed[$worker]) && !is_file($this->file . $worker)) {
                    throw new CrewFailed(\sprintf('worker %d ended without a result', $worker));
                }
                $this->result($worker);
            }
        }
    }

    /**
     * @return list<Visits> of those that lived
     *
     * @throws Throwable
     */
    public function results(float $seconds): array
    {
        for ($deadline = microtime(true) + $seconds; $this->pids !== []; usleep(2_000)) {
            $this->mustBeWell();
            if (microtime(true) > $deadline) {
                throw new CrewFailed(\sprintf('worker %d does not end', (int) array_key_first($this->pids)));
            }
        }

        return array_values(array_filter(array_map($this->result(...), range(0, $this->workers - 1))));
    }

    public function end(): void
    {
        foreach ($this->pids as $pid) {
            posix_kill($pid, SIGKILL);
        }
        foreach ($this->pids as $pid) {
            pcntl_waitpid($pid, $status);
        }
        $this->pids = [];
        for ($worker = 0; $worker < $this->workers; ++$worker) {
            @unlink($this->file . $worker);
        }
    }

    /** @throws Throwable */
    private function result(int $worker): ?Visits
    {
        $text = @file_get_contents($this->file . $worker);
        $outcome = $text === false ? null : unserialize($text, ['allowed_classes' => [Visits::class, Thrown::class]]);

        return $outcome instanceof Thrown ? throw $outcome->exception(\sprintf('worker %d: ', $worker)) : ($outcome instanceof Visits ? $outcome : null);
    }

    /** @param Closure(): Visits $work */
    private static function child(string $file, Closure $work): never
    {
        try {
            $outcome = $work();
        } catch (Throwable $thrown) {
            $outcome = Thrown::of($thrown);
        }
        file_put_contents($file . '.new', serialize($outcome));
        rename($file . '.new', $file);
        // Not exit(): what the parent registered for its own end must not happen here.
        posix_kill(posix_getpid(), SIGKILL);
        exit(1);
    }
}
