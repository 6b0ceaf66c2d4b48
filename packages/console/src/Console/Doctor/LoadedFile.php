<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

/**
 * @internal Whether nginx can have loaded a file that it includes: its processes begin anew whenever it loads (Linux).
 */
final readonly class LoadedFile
{
    /** Seconds by which the beginning of a process may seem too early: the kernel tells its own in whole ones. */
    private const ROUNDED = 2;

    /** Field of /proc/PID/stat behind the name, from 0: clock ticks from the kernel's start to its own. */
    private const BEGAN = 19;

    private const TICKS = 100;

    /**
     * @param int $pid of one of nginx's processes
     *
     * @return bool|null null: the process is not to be seen from here
     */
    public static function isLoaded(string $path, int $pid): ?bool
    {
        clearstatcache(true, $path);
        $written = @filemtime($path);
        $process = (string) @file_get_contents("/proc/$pid/stat");
        $kernel = (string) @file_get_contents('/proc/stat');
        if (
            $written === false
            || preg_match('/^\d+ \(nginx\) (.+)$/D', trim($process), $fields) !== 1
            || preg_match('/^btime (\d+)$/m', $kernel, $boot) !== 1
        ) {
            return null;
        }
        $ticks = (int) (explode(' ', $fields[1])[self::BEGAN] ?? 0);

        return (int) $boot[1] + intdiv($ticks, self::TICKS) + self::ROUNDED >= $written;
    }
}
