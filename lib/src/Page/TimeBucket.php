<?php

declare(strict_types=1);

namespace Larder\Page;

use DateTimeInterface;

/**
 * The stretch of the clock that a page of a ttl area belongs to: `2026-11-21T06:15+00:00` for ttl 300.
 *
 * It stands in the page's path, so that a page ends by itself when the clock leaves its stretch: nginx cannot see a file's age.
 * The offset from UTC is part of the text: the hour that the end of daylight saving repeats is another bucket.
 */
final readonly class TimeBucket
{
    private const ZONE = '(?<larder_zone>[+-].*)$';

    /** @param int $ttl one of Area::TTLS */
    public function __construct(
        public int $ttl,
    ) {}

    public function of(DateTimeInterface $time): string
    {
        [$unit, $head, $field] = match (true) {
            $this->ttl < 60 => [1, 'Y-m-d\TH:i:', 's'],
            $this->ttl < 3600 => [60, 'Y-m-d\TH:', 'i'],
            $this->ttl < 86400 => [3600, 'Y-m-d\T', 'H'],
            default => [86400, 'Y-m-d', ''],
        };
        if ($field === '') {
            return $time->format($head . 'P');
        }
        $step = intdiv($this->ttl, $unit);

        return $time->format($head) . \sprintf('%02d', intdiv((int) $time->format($field), $step) * $step) . $time->format('P');
    }

    /**
     * The Unix time at which the clock has left this bucket: from then on no page in it is asked for.
     *
     * @param string $bucket as of() or nginx writes it; what is none never ends
     */
    public function end(string $bucket): int
    {
        $found = preg_match('/^(\d{4}-\d\d-\d\d)(?:T(\d\d)(?::(\d\d))?(?::(\d\d))?)?([+-]\d\d:\d\d)$/D', $bucket, $matches);
        [, $day, $hour, $minute, $second, $zone] = $matches + array_fill(0, 6, '');
        $start = $found === 1 ? date_create_immutable(\sprintf('%sT%02d:%02d:%02d%s', $day, (int) $hour, (int) $minute, (int) $second, $zone)) : false;

        return $start === false ? PHP_INT_MAX : $start->getTimestamp() + $this->ttl;
    }

    /**
     * The same for nginx: what to look for in `$time_iso8601`, and the bucket that it means.
     *
     * @return array<string, string> PCRE to text with nginx variables
     */
    public function patterns(): array
    {
        return match (true) {
            $this->ttl < 60 => self::stretches('.{17}', $this->ttl, 60, ''),
            $this->ttl < 3600 => self::stretches('.{14}', intdiv($this->ttl, 60), 60, ':..'),
            $this->ttl < 86400 => self::stretches('.{11}', intdiv($this->ttl, 3600), 24, ':..:..'),
            default => ['^(?<larder_head>.{10})T..:..:..' . self::ZONE => '${larder_head}${larder_zone}'],
        };
    }

    /** @return array<string, string> */
    private static function stretches(string $head, int $step, int $end, string $dropped): array
    {
        if ($step === 1) {
            return ['^(?<larder_head>' . $head . '..)' . $dropped . self::ZONE => '${larder_head}${larder_zone}'];
        }
        $patterns = [];
        for ($start = 0; $start < $end; $start += $step) {
            $digits = array_map(static fn(int $value): string => \sprintf('%02d', $value), range($start, $start + $step - 1));
            $patterns['^(?<larder_head>' . $head . ')(?:' . implode('|', $digits) . ')' . $dropped . self::ZONE] = '${larder_head}' . $digits[0] . '${larder_zone}';
        }

        return $patterns;
    }
}
