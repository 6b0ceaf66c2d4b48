<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * CPU time of other processes, for differences over a window.
 *
 * The scheduler's own account counts nanoseconds, but a thread takes its share with it when it ends. The process's
 * times keep that share and count hundredths of a second. Whichever says more is nearer to the truth, and their larger
 * one never falls by more than a hundredth.
 */
final readonly class Cpu
{
    /** Microseconds of a tick of /proc/PID/stat: USER_HZ is 100 on every machine that PHP is packaged for. */
    private const TICK = 10_000.0;

    /**
     * @param list<int> $pids
     *
     * @return float microseconds, user and system, all threads, since each process started; one that is gone counts 0
     */
    public static function of(array $pids): float
    {
        $sum = 0.0;
        foreach ($pids as $pid) {
            $sum += max(self::scheduled($pid), self::ticks($pid));
        }

        return $sum;
    }

    /** @return float microseconds of a process, of all that came from it, and of those of them that have ended */
    public static function ofTree(int $pid): float
    {
        $pids = ProcessTree::of($pid);

        return self::of($pids) + array_sum(array_map(static fn(int $pid): float => self::ticks($pid, 13), $pids));
    }

    /** @return float microseconds of this process, user and system, since it started */
    public static function own(): float
    {
        /** @var array<string, int>|false $usage */
        $usage = getrusage();

        return $usage === false ? 0.0 : ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6
            + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }

    private static function scheduled(int $pid): float
    {
        $nanoseconds = 0;
        foreach (ProcessTree::threads($pid) as $thread) {
            $nanoseconds += (int) @file_get_contents("/proc/{$pid}/task/{$thread}/schedstat");
        }

        return $nanoseconds / 1000;
    }

    /** @param int $field of /proc/PID/stat, behind the name: 11 for the process, 13 for the children it waited for */
    private static function ticks(int $pid, int $field = 11): float
    {
        $stat = (string) @file_get_contents("/proc/{$pid}/stat");
        // The name, in brackets, may have spaces and brackets of its own.
        $fields = explode(' ', substr($stat, (int) strrpos($stat, ')') + 2));

        return ((int) ($fields[$field] ?? 0) + (int) ($fields[$field + 1] ?? 0)) * self::TICK;
    }
}
