<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** Memory that processes hold in RAM. What several share, such as PHP's opcode cache, counts for each. */
final readonly class ResidentMemory
{
    /**
     * @param list<int> $pids
     *
     * @return array<int, int> bytes by pid, without processes that are gone
     */
    public static function of(array $pids): array
    {
        $bytes = [];
        foreach ($pids as $pid) {
            if (preg_match(
                '/^VmRSS:\s+([0-9]+) kB$/m',
                (string) @file_get_contents("/proc/{$pid}/status"),
                $found,
            ) === 1) {
                $bytes[$pid] = (int) $found[1] * 1024;
            }
        }

        return $bytes;
    }
}
