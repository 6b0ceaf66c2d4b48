<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;

/** A process that only sleeps. It is late for as long as the machine stops by itself. */
final readonly class IdleClock
{
    private const SLEEP = 1000;

    /**
     * Sleeps until the parent process is gone.
     *
     * @param Closure(int, int): void $slept gets begin and end of each sleep, in nanoseconds of hrtime()
     */
    public static function run(Closure $slept): void
    {
        $parent = posix_getppid();
        for ($last = (int) hrtime(true); posix_getppid() === $parent; $last = $now) {
            usleep(self::SLEEP);
            $now = (int) hrtime(true);
            $slept($last, $now);
        }
    }
}
