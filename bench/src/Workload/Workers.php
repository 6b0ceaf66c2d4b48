<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerEnd;
use Larder\Testbed\Process\WorkerPool;
use Throwable;

/**
 * Forked workers that begin together. None outlives end().
 *
 * They say that they are ready, and are told when to begin, by numbers in shared memory: never through the store that is measured.
 */
final readonly class Workers
{
    private const READY = 'ready';
    private const BEGIN = 'begin';

    /** Microseconds between two looks at the board. */
    private const NAP = 500;

    /** Until begin() comes. The bench as a whole is over long before. */
    private const LONGEST = 300.0;

    private Board $board;
    private WorkerPool $pool;

    /**
     * @param Closure(int, Closure(): int): WorkerResult $work runs in the worker. It gets the worker's number and a function that
     *                                                         says that the worker is ready, waits, and returns when to begin, on
     *                                                         the clock of hrtime()
     */
    public function __construct(
        private int $count,
        Closure $work,
    ) {
        $board = Board::create([self::READY => $count, self::BEGIN => 1]);
        $parent = posix_getpid();
        $this->board = $board;
        $this->pool = new WorkerPool(static function (int $worker) use ($work, $board, $parent): WorkerResult|Thrown {
            try {
                return $work($worker, static fn(): int => self::awaitBegin($board, $worker, $parent));
            } catch (Throwable $thrown) {
                return Thrown::of($thrown);
            }
        });
        $this->pool->fill($count);
    }

    /** @throws Throwable what a worker has thrown */
    public function awaitReady(float $seconds): void
    {
        for ($deadline = microtime(true) + $seconds; $this->board->sum(self::READY) < $this->count; usleep(self::NAP)) {
            array_map(self::result(...), $this->pool->reap());
            $this->mustNotBeLate($deadline, $seconds, 'getting ready');
        }
    }

    /** @param int $time on the clock of hrtime(), which all processes share */
    public function begin(int $time): void
    {
        $this->board->set(self::BEGIN, $time);
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
            $this->mustNotBeLate($deadline, $seconds, 'working');
        }
        ksort($results);

        return $results === [] ? throw new Failed('no workers') : array_values($results);
    }

    public function end(): void
    {
        $this->pool->killAll();
    }

    private static function awaitBegin(Board $board, int $worker, int $parent): int
    {
        $board->set(self::READY, 1, $worker);
        $deadline = microtime(true) + self::LONGEST;
        do {
            $begin = $board->get(self::BEGIN);
            if ($begin !== 0) {
                return $begin;
            }
            usleep(self::NAP);
        } while (posix_getppid() === $parent && microtime(true) < $deadline);

        throw new Failed('the process that waits for this one is gone');
    }

    private static function result(WorkerEnd $end): WorkerResult
    {
        return match (true) {
            $end->result instanceof WorkerResult => $end->result,
            $end->result instanceof Thrown => throw $end->result->exception(\sprintf('worker %d: ', $end->number)),
            default => throw new Failed(\sprintf('worker %d %s', $end->number, $end->reason())),
        };
    }

    private function mustNotBeLate(float $deadline, float $seconds, string $doing): void
    {
        $running = $this->pool->numbers();
        if ($running !== [] && microtime(true) > $deadline) {
            throw new Failed(\sprintf('worker %d took longer than %.0f s for %s', $running[0], $seconds, $doing));
        }
    }
}
