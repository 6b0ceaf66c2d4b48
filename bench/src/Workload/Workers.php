<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use Throwable;

/**
 * Forked workers that begin each turn together. None outlives end().
 *
 * Between turns a worker sleeps in a read of its socket: it takes no time of the processor from those that are measured
 * meanwhile.
 */
final class Workers
{
    /** What stands for the time of a turn when there is no further one. */
    private const NONE = 0;

    /** Microseconds between two looks at whether a worker has ended. */
    private const NAP = 500;

    /** Seconds that a worker waits for a turn, and that an ended one may take to be reaped. */
    private const LONGEST = 300;
    private const PATIENCE = 5.0;

    /** @var array<int, resource> the parent's ends, by worker */
    private array $sockets = [];

    /** @var resource|null the end of the worker that is being forked */
    private mixed $own = null;

    private readonly WorkerPool $pool;

    /**
     * @param Closure(int, Closure(): ?int): WorkerResult $work runs in the worker. It gets the worker's number and a
     *     function that says that the worker is ready, or has done its turn, waits, and returns when the next turn
     *     begins, on the clock of hrtime(); null: there is none
     */
    public function __construct(
        private readonly int $count,
        Closure $work,
    ) {
        $this->pool = new WorkerPool(function (int $worker) use ($work): WorkerResult|Thrown {
            // A worker sees that its parent is gone when nobody holds the parent's end: so it must not hold one itself.
            array_map(fclose(...), $this->sockets);
            $own = $this->own;
            try {
                return $work($worker, static fn(): ?int => self::turn($own));
            } catch (Throwable $thrown) {
                return Thrown::of($thrown);
            }
        }, before: function (int $worker): void {
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            [$this->sockets[$worker], $this->own] = $pair === false ? throw new Failed('no socket pair') : $pair;
        });
        $this->pool->fill($count);
        $this->own = null;
    }

    /**
     * Waits until all workers are ready for the next turn.
     *
     * @throws Throwable what a worker has thrown
     */
    public function awaitReady(float $seconds): void
    {
        $deadline = microtime(true) + $seconds;
        for ($waiting = $this->sockets; $waiting !== [];) {
            $left = $deadline - microtime(true);
            if ($left <= 0.0) {
                throw self::late(array_key_first($waiting), $seconds);
            }
            $read = $waiting;
            $write = $except = null;
            if (@stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1.0) * 1e6)) > 0) {
                foreach ($read as $worker => $socket) {
                    // Nothing: the worker has ended.
                    if ((string) fread($socket, 1) === '') {
                        $this->results(self::PATIENCE);
                        throw new Failed(\sprintf('worker %d ended before its turn', $worker));
                    }
                    unset($waiting[$worker]);
                }
            }
        }
    }

    /** @param int $time on the clock of hrtime(), which all processes share */
    public function begin(int $time): void
    {
        foreach ($this->sockets as $socket) {
            // A worker that has ended says so by its end.
            @fwrite($socket, $time . "\n");
        }
    }

    /** There is no further turn. */
    public function finish(): void
    {
        $this->begin(self::NONE);
    }

    /**
     * @return non-empty-list<WorkerResult> in the order of the workers
     *
     * @throws Throwable what a worker has thrown
     */
    public function results(float $seconds): array
    {
        $results = [];
        for ($deadline = microtime(true) + $seconds; \count($results) < $this->count; usleep(self::NAP)) {
            foreach ($this->pool->reap() as $end) {
                $results[$end->number] = self::result($end);
            }
            $running = $this->pool->numbers();
            if ($running !== [] && microtime(true) > $deadline) {
                throw self::late($running[0], $seconds);
            }
        }
        ksort($results);

        return $results === [] ? throw new Failed('no workers') : array_values($results);
    }

    public function end(): void
    {
        $this->pool->killAll();
        array_map(fclose(...), $this->sockets);
        $this->sockets = [];
    }

    /** @param resource|null $socket */
    private static function turn(mixed $socket): ?int
    {
        if ($socket === null) {
            throw new Failed('no socket');
        }
        fwrite($socket, '.');
        stream_set_timeout($socket, self::LONGEST);
        $line = fgets($socket);
        if ($line === false) {
            throw new Failed('the process that waits for this one is gone');
        }

        return (int) $line === self::NONE ? null : (int) $line;
    }

    private static function result(WorkerEnd $end): WorkerResult
    {
        return match (true) {
            $end->result instanceof WorkerResult => $end->result,
            $end->result instanceof Thrown => throw $end->result->exception(\sprintf('worker %d: ', $end->number)),
            default => throw new Failed(\sprintf('worker %d %s', $end->number, $end->reason())),
        };
    }

    private static function late(int $worker, float $seconds): Failed
    {
        return new Failed(\sprintf('worker %d took longer than %.0f s', $worker, $seconds));
    }
}
