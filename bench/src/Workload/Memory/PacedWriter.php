<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;

/**
 * A process beside the workers that writes at a given pace until end() is called, or its parent is gone.
 *
 * It sleeps a millisecond at a time and then does all that is due, so that its average is the pace and the processor is
 * free between.
 */
final class PacedWriter
{
    private const NAP = 1000;
    private const PATIENCE = 5.0;

    private readonly Board $board;
    private readonly WorkerPool $pool;

    /**
     * @param int                $pace  writes a second
     * @param Closure(int): void $write the n-th, from 0
     */
    public function __construct(int $pace, Closure $write)
    {
        $this->board = Board::create(['end' => 1]);
        $board = $this->board;
        $parent = posix_getpid();
        $this->pool = new WorkerPool(static function () use ($board, $parent, $pace, $write): float {
            $begin = hrtime(true);
            $done = 0;
            while ($board->get('end') === 0 && posix_getppid() === $parent) {
                for ($due = (int) ((hrtime(true) - $begin) * $pace / 1e9); $done < $due; ++$done) {
                    $write($done);
                }
                usleep(self::NAP);
            }

            return $done / (hrtime(true) - $begin) * 1e9;
        });
        $this->pool->start(0);
    }

    /**
     * Ends the writer.
     *
     * @return float writes a second that it has done
     *
     * @throws Failed with its words, if it has failed
     */
    public function end(): float
    {
        $this->board->set('end', 1);
        $end = $this->pool->end(self::PATIENCE)[0] ?? throw new Failed('the writer has ended before');

        return \is_float($end->result)
            ? $end->result
            : throw new Failed('the writer: ' . ($end->error ?? 'ended without a result'));
    }
}
