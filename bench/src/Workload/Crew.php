<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Check\Coverage;
use Throwable;

/**
 * Forked workers that start together. None outlives this object's end().
 *
 * A worker's last line is its result, or the class and text of what was thrown. One that ends without a line has crashed.
 */
final class Crew
{
    /** The start time that stands for: no further turn. */
    public const END = 0;

    /** @var array<int, resource> by worker */
    private array $sockets = [];

    /** @var array<int, int> by worker */
    private array $pids = [];

    /** @var array<int, string> what came and is no line yet */
    private array $pending = [];

    /** @param Closure(int, Signals): WorkerResult $work runs in the worker */
    public function __construct(int $workers, Closure $work)
    {
        for ($worker = 0; $worker < $workers; ++$worker) {
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            if ($pair === false) {
                throw new CrewFailed('no socket pair to talk to the workers');
            }
            $pid = pcntl_fork();
            if ($pid === -1) {
                throw new CrewFailed(\sprintf('worker %d could not be forked', $worker));
            }
            if ($pid === 0) {
                array_map(fclose(...), [...$this->sockets, $pair[0]]);
                $this->sockets = $this->pids = [];
                self::child($worker, $pair[1], $work);
            }
            fclose($pair[1]);
            stream_set_blocking($pair[0], false);
            $this->sockets[$worker] = $pair[0];
            $this->pids[$worker] = $pid;
            $this->pending[$worker] = '';
        }
    }

    public function __destruct()
    {
        $this->end();
    }

    public function awaitReady(float $seconds): void
    {
        foreach ($this->lines($seconds, 'getting ready') as $worker => $line) {
            if ($line !== 'ready') {
                $this->decode($worker, $line);
            }
        }
    }

    /** @param int $time on the clock of hrtime(), which all processes share */
    public function start(int $time): void
    {
        foreach ($this->sockets as $socket) {
            fwrite($socket, $time . "\n");
        }
    }

    /** Waits until all have done a turn. */
    public function awaitDone(float $seconds): void
    {
        foreach ($this->lines($seconds, 'a turn') as $worker => $line) {
            if ($line !== 'done') {
                $this->decode($worker, $line);
            }
        }
    }

    /** @return non-empty-list<WorkerResult> */
    public function results(float $seconds): array
    {
        $results = [];
        foreach ($this->lines($seconds, 'working') as $worker => $line) {
            $results[$worker] = $this->decode($worker, $line);
        }
        ksort($results);

        return $results === [] ? throw new CrewFailed('no workers') : array_values($results);
    }

    public function end(): void
    {
        foreach ($this->pids as $pid) {
            posix_kill($pid, SIGKILL);
        }
        foreach ($this->pids as $pid) {
            pcntl_waitpid($pid, $status);
        }
        array_map(fclose(...), $this->sockets);
        $this->pids = $this->sockets = [];
    }

    /** @return array<int, string> a line of each worker */
    private function lines(float $seconds, string $doing): array
    {
        $lines = [];
        $deadline = microtime(true) + $seconds;
        while (\count($lines) < \count($this->sockets)) {
            $read = array_diff_key($this->sockets, $lines);
            $left = $deadline - microtime(true);
            if ($left <= 0.0) {
                throw new CrewFailed(\sprintf('worker %d took longer than %.0f s for %s', array_key_first($read), $seconds, $doing));
            }
            $write = $except = null;
            if (@stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1.0) * 1e6)) > 0) {
                foreach ($read as $worker => $socket) {
                    $line = $this->line($worker, $socket);
                    if ($line !== null) {
                        $lines[$worker] = $line;
                    }
                }
            }
        }

        return $lines;
    }

    /** @param resource $socket */
    private function line(int $worker, mixed $socket): ?string
    {
        $more = fread($socket, 1 << 20);
        $this->pending[$worker] .= $more === false ? '' : $more;
        $end = strpos($this->pending[$worker], "\n");
        if ($end === false) {
            return ($more === '' || $more === false) && feof($socket) ? throw new CrewFailed($this->crash($worker)) : null;
        }
        $line = substr($this->pending[$worker], 0, $end);
        $this->pending[$worker] = substr($this->pending[$worker], $end + 1);

        return $line;
    }

    private function crash(int $worker): string
    {
        $pid = $this->pids[$worker];
        pcntl_waitpid($pid, $status);
        unset($this->pids[$worker]);
        \assert(\is_int($status));

        return pcntl_wifsignaled($status)
            ? \sprintf('worker %d was ended by signal %d', $worker, pcntl_wtermsig($status))
            : \sprintf('worker %d ended with status %d and no result', $worker, pcntl_wexitstatus($status));
    }

    private function decode(int $worker, string $line): WorkerResult
    {
        $outcome = unserialize((string) base64_decode($line, true), ['allowed_classes' => [WorkerResult::class, Coverage::class, Thrown::class]]);

        return match (true) {
            $outcome instanceof WorkerResult => $outcome,
            $outcome instanceof Thrown => throw $outcome->exception(\sprintf('worker %d: ', $worker)),
            default => throw new CrewFailed(\sprintf('worker %d printed what is no result: %s', $worker, substr($line, 0, 200))),
        };
    }

    /**
     * @param resource                            $socket
     * @param Closure(int, Signals): WorkerResult $work
     */
    private static function child(int $worker, mixed $socket, Closure $work): never
    {
        try {
            $outcome = $work($worker, new Signals($socket));
        } catch (Throwable $thrown) {
            $outcome = Thrown::of($thrown);
        }
        $line = base64_encode(serialize($outcome)) . "\n";
        for ($sent = 0; $sent < \strlen($line); $sent += $bytes) {
            $bytes = fwrite($socket, substr($line, $sent));
            if ($bytes === false || $bytes === 0) {
                break;
            }
        }
        // Not exit(): what the parent registered for its own end must not happen here.
        posix_kill(posix_getpid(), SIGKILL);
        exit(1);
    }
}
