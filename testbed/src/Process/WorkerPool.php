<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use Closure;
use RuntimeException;
use Throwable;

/**
 * Forked workers with numbers from 0 on. Where one is killed, another life of the same number begins.
 *
 *     $pool = new WorkerPool(static fn(int $number, int $life) => work($number), seed: 4);
 *     $pool->fill(8);
 *     $pool->kill($pool->any());
 *     foreach ($pool->reap() as $end) { … }
 *     $pool->end(20.0);
 *
 * A worker ends by SIGKILL once its function has returned: it holds copies of its parent's connections and servers, and
 * must not run their destructors. Result and error go to the parent in a file that has no name.
 *
 * @phpstan-type Worker array{pid: int, life: int, report: resource}
 */
final class WorkerPool
{
    /** Microseconds between two looks at whether the workers have ended. */
    private const POLL = 2_000;

    /** @var array<int, Worker> by number */
    private array $workers = [];

    private int $lives = 0;

    /** A fork has this object too, and must not end its siblings. */
    private readonly int $owner;

    /**
     * @param Closure(int, int): mixed       $work   gets number and life; lives are counted from 1 over all workers
     * @param int                            $seed   of mt_rand in the workers: each life has another
     * @param (Closure(int, int): void)|null $before runs in the parent just before each fork
     */
    public function __construct(
        private readonly Closure $work,
        private readonly int $seed = 1,
        private readonly ?Closure $before = null,
    ) {
        $this->owner = (int) getmypid();
    }

    public function __destruct()
    {
        $this->killAll();
    }

    /** Starts every number below the count that has no worker. */
    public function fill(int $count): void
    {
        for ($number = 0; $number < $count; ++$number) {
            if (!isset($this->workers[$number])) {
                $this->start($number);
            }
        }
    }

    /** @return int the life */
    public function start(int $number): int
    {
        if (isset($this->workers[$number])) {
            throw new RuntimeException("Worker $number is running.");
        }
        $life = ++$this->lives;
        if ($this->before !== null) {
            ($this->before)($number, $life);
        }
        $report = self::report();
        $pid = Fork::start(function () use ($number, $life, $report): void {
            $this->workers = [];
            $this->live($number, $life, $report);
        });
        $this->workers[$number] = ['pid' => $pid, 'life' => $life, 'report' => $report];

        return $life;
    }

    /**
     * Kills a worker with SIGKILL and forks it anew, unless that is not wanted.
     *
     * @return WorkerEnd|null how it ended: perhaps by itself, just before; null: there is no such worker
     */
    public function kill(?int $number, bool $refork = true): ?WorkerEnd
    {
        $worker = $number === null ? null : $this->workers[$number] ?? null;
        if ($number === null || $worker === null) {
            return null;
        }
        posix_kill($worker['pid'], SIGKILL);
        pcntl_waitpid($worker['pid'], $status);
        $end = $this->ended($number, $status);
        if ($refork) {
            $this->start($number);
        }

        return $end;
    }

    /** @return bool false: there is no such worker */
    public function signal(int $number, int $signal): bool
    {
        return isset($this->workers[$number]) && posix_kill($this->workers[$number]['pid'], $signal);
    }

    /**
     * @return list<WorkerEnd> of workers that ended by themselves since the last call; start() and fill() replace them
     *
     * @phpstan-impure
     */
    public function reap(): array
    {
        $ends = [];
        foreach ($this->workers as $number => $worker) {
            if (pcntl_waitpid($worker['pid'], $status, WNOHANG) === $worker['pid']) {
                $ends[] = $this->ended($number, $status);
            }
        }

        return $ends;
    }

    /**
     * Waits until all workers have ended, and kills those that have not when the time is over.
     *
     * @return list<WorkerEnd> in the order in which they ended
     */
    public function end(float $seconds): array
    {
        $ends = [];
        for ($deadline = hrtime(true) + $seconds * 1e9; $this->workers !== [];) {
            $ends = [...$ends, ...$this->reap()];
            if ($this->workers !== [] && hrtime(true) > $deadline) {
                return [...$ends, ...$this->killAll()];
            }
            if ($this->workers !== []) {
                usleep(self::POLL);
            }
        }

        return $ends;
    }

    /** @return list<WorkerEnd> */
    public function killAll(): array
    {
        if ($this->owner !== getmypid()) {
            return [];
        }
        foreach ($this->workers as $worker) {
            posix_kill($worker['pid'], SIGKILL);
        }
        $ends = [];
        foreach (array_keys($this->workers) as $number) {
            $end = $this->kill($number, refork: false);
            if ($end !== null) {
                $ends[] = $end;
            }
        }

        return $ends;
    }

    /** @return int|null number of a running worker, at random; null if there is none */
    public function any(): ?int
    {
        return $this->workers === [] ? null : array_rand($this->workers);
    }

    /** @return list<int> numbers of the workers that have not been reaped */
    public function numbers(): array
    {
        return array_keys($this->workers);
    }

    public function pid(int $number): ?int
    {
        return $this->workers[$number]['pid'] ?? null;
    }

    public function life(int $number): ?int
    {
        return $this->workers[$number]['life'] ?? null;
    }

    /** @param resource $report */
    private function live(int $number, int $life, $report): void
    {
        mt_srand($this->seed + $life);
        try {
            $said = ['result' => ($this->work)($number, $life)];
        } catch (Throwable $thrown) {
            $place = basename($thrown->getFile()) . ':' . $thrown->getLine();
            $said = ['error' => $thrown->getMessage() . ' at ' . $place];
        }
        fwrite($report, serialize($said));
        fflush($report);
    }

    private function ended(int $number, mixed $status): WorkerEnd
    {
        ['life' => $life, 'report' => $report] = $this->workers[$number];
        unset($this->workers[$number]);
        rewind($report);
        $text = (string) stream_get_contents($report);
        fclose($report);
        $said = $text === '' ? [] : @unserialize($text);
        $said = \is_array($said) ? $said : [];
        $error = \is_string($said['error'] ?? null) ? $said['error'] : null;
        $finished = \array_key_exists('result', $said);
        $status = \is_int($status) ? $status : 0;
        $signal = pcntl_wifsignaled($status) ? (int) pcntl_wtermsig($status) : null;
        $isSilent = !$finished && $error === null;
        $code = $isSilent && $signal === null ? (int) pcntl_wexitstatus($status) : null;

        return new WorkerEnd(
            $number,
            $life,
            $finished,
            $said['result'] ?? null,
            $error,
            $code,
            $isSilent ? $signal : null,
        );
    }

    /** @return resource */
    private static function report()
    {
        $path = sys_get_temp_dir() . '/larder-worker-' . bin2hex(random_bytes(8));
        $file = fopen($path, 'x+');
        if ($file === false) {
            throw new RuntimeException("Cannot make $path.");
        }
        unlink($path);

        return $file;
    }
}
