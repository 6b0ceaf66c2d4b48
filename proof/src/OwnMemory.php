<?php

declare(strict_types=1);

namespace Larder\Proof;

/** Memory that a process alone has made or changed. Shared segments are not part of it. */
final readonly class OwnMemory
{
    /** @return int|null kilobytes; null: the process is gone */
    public static function of(int $pid): ?int
    {
        $rollup = (string) @file_get_contents("/proc/$pid/smaps_rollup");

        return preg_match('/^Anonymous:\s+(\d+) kB/m', $rollup, $found) === 1 ? (int) $found[1] : null;
    }
}
