<?php

declare(strict_types=1);

namespace Larder\Page;

use DateTimeInterface;

/**
 * The span of time that a page of a ttl area belongs to: `2026-11-21T06:15+00:00` for ttl 300.
 *
 * nginx cannot see a file's age, so the page's path contains the bucket: when its time is over, nginx asks for another
 * path. The text contains the offset from UTC, so the hour that is repeated at the end of daylight saving is another
 * bucket.
 *
 * @internal
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

        return $time->format($head) . \sprintf('%02d', intdiv((int) $time->format($field), $step) * $step)
            . $time->format('P');
    }

    /**
     * The Unix time at which this bucket is over: from then on nginx asks for none of its pages.
     *
     * @param string $bucket as of() or nginx writes it; any other text never ends
     */
    public function end(string $bucket): int
    {
        $found = preg_match(
            '/^(\d{4}-\d\d-\d\d)(?:T(\d\d)(?::(\d\d))?(?::(\d\d))?)?([+-]\d\d:\d\d)$/D',
            $bucket,
            $matches,
        );
        [, $day, $hour, $minute, $second, $zone] = $matches + array_fill(0, 6, '');
        $text = \sprintf('%sT%02d:%02d:%02d%s', $day, (int) $hour, (int) $minute, (int) $second, $zone);
        $start = $found === 1 ? date_create_immutable($text) : false;

        return $start === false ? PHP_INT_MAX : $start->getTimestamp() + $this->ttl;
    }

    /**
     * The cases of the map that makes the bucket of `$time_iso8601`.
     *
     * @return array<string, string> bucket with nginx variables, by PCRE
     */
    public function patterns(): array
    {
        return match (true) {
            $this->ttl < 60 => self::spans('.{17}', $this->ttl, 60, ''),
            $this->ttl < 3600 => self::spans('.{14}', intdiv($this->ttl, 60), 60, ':..'),
            $this->ttl < 86400 => self::spans('.{11}', intdiv($this->ttl, 3600), 24, ':..:..'),
            default => ['^(?<larder_head>.{10})T..:..:..' . self::ZONE => '${larder_head}${larder_zone}'],
        };
    }

    /** @return array<string, string> */
    private static function spans(string $head, int $step, int $end, string $dropped): array
    {
        if ($step === 1) {
            return ['^(?<larder_head>' . $head . '..)' . $dropped . self::ZONE => '${larder_head}${larder_zone}'];
        }
        $patterns = [];
        for ($start = 0; $start < $end; $start += $step) {
            $digits = array_map(
                static fn(int $value): string => \sprintf('%02d', $value),
                range($start, $start + $step - 1),
            );
            $pattern = '^(?<larder_head>' . $head . ')(?:' . implode('|', $digits) . ')' . $dropped . self::ZONE;
            $patterns[$pattern] = '${larder_head}' . $digits[0] . '${larder_zone}';
        }

        return $patterns;
    }
}
