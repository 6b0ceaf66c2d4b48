<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** A process and all that came from it: a master costs nothing, its workers do the work. */
final readonly class ProcessTree
{
    /** @return list<int> the process first; empty if it is gone */
    public static function of(int $pid): array
    {
        if (!is_dir("/proc/{$pid}")) {
            return [];
        }
        $found = [];
        for ($waiting = [$pid]; $waiting !== [];) {
            $process = array_shift($waiting);
            $found[] = $process;
            foreach (self::threads($process) as $thread) {
                $children = explode(' ', (string) @file_get_contents("/proc/{$process}/task/{$thread}/children"));
                $waiting = [
                    ...$waiting,
                    ...array_map(intval(...), array_values(array_filter($children, ctype_digit(...)))),
                ];
            }
        }

        return $found;
    }

    /** What it was started with, as far as it leaves that to be seen. */
    public static function command(int $pid): string
    {
        return trim(strtr((string) @file_get_contents("/proc/{$pid}/cmdline"), "\0", ' '));
    }

    /** @return list<string> their numbers; empty if the process is gone */
    public static function threads(int $pid): array
    {
        $entries = @scandir("/proc/{$pid}/task");

        return $entries === false ? [] : array_values(array_filter($entries, ctype_digit(...)));
    }
}
