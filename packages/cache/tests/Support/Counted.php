<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Metrics\Counters;

/** What was counted, with the number of each histogram alone, and without the kind of store. */
final readonly class Counted
{
    /** @return array<string, int> by series, sorted */
    public static function by(Counters $counters): array
    {
        $counts = [];
        foreach ($counters->all() as $series => $count) {
            $series = str_replace('{}', '', (string) preg_replace('/store="[^"]*",?/', '', $series));
            if (\is_int($count) && !str_contains($series, '_bucket{')) {
                $counts[$series] = ($counts[$series] ?? 0) + $count;
            }
        }
        ksort($counts);

        return $counts;
    }
}
