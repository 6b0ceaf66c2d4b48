<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * For how long a changed page may be served, as nginx can tell it: in buckets of Unix time.
 *
 * nginx cannot compute a time, so a stale page lies under a name that contains the bucket of its change, and nginx
 * looks for the names of the present bucket and of the `count() - 1` before. A page of a change is found for more than
 * `(count() - 1) * step` seconds, and never for more than `count() * step`, which is at most the seconds of the area.
 *
 * The buckets are of Unix time (nginx's `$msec`), so no time zone is part of them. Their step is 1, 2 or 5 times a
 * power of ten, so that nginx can make them by a map.
 *
 * @internal
 */
final readonly class StaleSpan
{
    /** Seconds of a bucket. */
    public int $step;

    /** @param int $seconds that a changed page may be served for, at least 1 */
    public function __construct(public int $seconds)
    {
        $step = 1;
        foreach ([2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000] as $larger) {
            $step = 2 * $larger <= $seconds ? $larger : $step;
        }
        $this->step = $step;
    }

    /** The number of buckets that a page is found in. */
    public function count(): int
    {
        return intdiv($this->seconds, $this->step);
    }

    /** @return int the beginning of the bucket, in Unix time */
    public function bucket(int $time): int
    {
        return $time - $time % $this->step;
    }

    /** @return int the Unix time from which on no page of this bucket is found */
    public function end(int $bucket): int
    {
        return $bucket + $this->count() * $this->step;
    }

    /**
     * The cases of the map that makes the bucket of `$msec`.
     *
     * @return array<string, string> bucket with nginx variables, by PCRE
     */
    public function patterns(): array
    {
        $zeros = \strlen((string) $this->step) - 1;
        $lead = intdiv($this->step, 10 ** $zeros);
        $dropped = $zeros === 0 ? '' : '\d{' . $zeros . '}';
        if ($lead === 1) {
            return ['^(?<larder_head>\d+)' . $dropped . '\.' => '${larder_head}' . str_repeat('0', $zeros)];
        }
        $patterns = [];
        for ($digit = 0; $digit < 10; $digit += $lead) {
            $patterns['^(?<larder_head>\d+)[' . $digit . '-' . ($digit + $lead - 1) . ']' . $dropped . '\.']
                = '${larder_head}' . $digit . str_repeat('0', $zeros);
        }

        return $patterns;
    }
}
