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
        array_map(static fn(int $signal) => pcntl_signal($signal, self::ending($stop)), self::ENDING);
    }

    /**
     * The same while one thing is done. Afterwards a signal does again what it did before.
     *
     * @template T
     *
     * @param Closure(): void $stop
     * @param Closure(): T    $work
     *
     * @return T
     */
    public static function stopDuring(Closure $stop, Closure $work): mixed
    {
        return self::handleDuring(self::ending($stop), $work);
    }

    /**
     * @template T
     *
     * @param Closure(int): void $handle   gets the signal
     * @param Closure(): T       $work
     * @param bool               $restarts whether a call of the system goes on that the signal came into
     *
     * @return T
     */
    public static function handleDuring(Closure $handle, Closure $work, bool $restarts = true): mixed
    {
        $wasAsync = pcntl_async_signals(true);
        $before = array_map(pcntl_signal_get_handler(...), self::ENDING);
        array_map(static fn(int $signal) => pcntl_signal($signal, $handle, $restarts), self::ENDING);
        try {
            return $work();
        } finally {
            array_map(static fn(int $signal, mixed $was) => pcntl_signal($signal, $was), self::ENDING, $before);
            pcntl_async_signals($wasAsync);
        }
    }

    /**
     * @param Closure(): void $stop
     *
     * @return Closure(int): never
     */
    private static function ending(Closure $stop): Closure
    {
        return static function (int $signal) use ($stop): never {
            $stop();
            exit(128 + $signal);
        };
    }
}
