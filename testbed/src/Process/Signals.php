<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

use Closure;

/** What a program does that is interrupted or terminated: destructors alone would not run then. */
final readonly class Signals
{
    private const ENDING = [SIGINT, SIGTERM, SIGHUP];

    /**
     * Calls the closure at the next such signal, then ends the program.
     *
     * @param Closure(): void $stop
     */
    public static function stop(Closure $stop): void
    {
        pcntl_async_signals(true);
        foreach (self::ENDING as $signal) {
            pcntl_signal($signal, static function (int $signal) use ($stop): never {
                $stop();
                exit(128 + $signal);
            });
        }
    }
}
