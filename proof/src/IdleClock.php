<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Process\Board;

/** A process that only sleeps. It is late for as long as the machine stops by itself. */
final readonly class IdleClock
{
    private const SLEEP = 1000;

    /**
     * Notes the longest stop on the board, until its end.
     *
     * @param (Closure(int, int): void)|null $slept gets begin and end of each sleep
     */
    public static function watch(Run $run, Board $board, ?Closure $slept = null): void
    {
        $run->pool(static fn() => self::run(static function (int $from, int $until) use ($board, $slept): void {
            if ($slept !== null) {
                $slept($from, $until);
            }
            if ($board->get('end') > $until) {
                $board->raise('idle', $until - $from);
            }
        }))->fill(1);
    }

    /**
     * Sleeps until the parent process is gone.
     *
     * @param Closure(int, int): void $slept gets begin and end of each sleep, in nanoseconds of hrtime()
     */
    private static function run(Closure $slept): void
    {
        $parent = posix_getppid();
        for ($last = (int) hrtime(true); posix_getppid() === $parent; $last = $now) {
            usleep(self::SLEEP);
            $now = (int) hrtime(true);
            $slept($last, $now);
        }
    }
}
