<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use DateTimeImmutable;
use Larder\Page\Area;
use Larder\Page\TimeBucket;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(TimeBucket::class)]
final class TimeBucketTest extends TestCase
{
    /** @return iterable<string, array{int}> */
    public static function ttls(): iterable
    {
        foreach (Area::TTLS as $ttl) {
            yield $ttl . ' s' => [$ttl];
        }
    }

    /**
     * Every bucket of a day begins where it should, and the patterns for nginx say the same as PHP, each time by
     * exactly one of them.
     */
    #[DataProvider('ttls')]
    public function testCutsTheDayIntoStretchesOfTheTtl(int $ttl): void
    {
        $bucket = new TimeBucket($ttl);
        $patterns = $bucket->patterns();
        $midnight = new DateTimeImmutable('2026-11-21T00:00:00+05:30');
        $seen = [];
        for ($start = 0; $start < 86400; $start += max($ttl, 60) === $ttl ? $ttl : $ttl * 7) {
            $first = $bucket->of($midnight->modify("+{$start} seconds"));
            foreach ([$start, $start + intdiv($ttl, 2), $start + $ttl - 1] as $second) {
                $time = $midnight->modify("+{$second} seconds");
                self::assertSame($first, $bucket->of($time));
                self::assertSame([$first], self::byNginx($patterns, $time->format(DATE_ATOM)));
                self::assertSame($midnight->getTimestamp() + $start + $ttl, $bucket->end($first));
            }
            self::assertArrayNotHasKey($first, $seen);
            self::assertMatchesRegularExpression('/^[0-9T:.+-]{3,40}$/D', $first);
            $seen[$first] = true;
        }
    }

    #[DataProvider('ttls')]
    public function testTheHourThatTheEndOfDaylightSavingRepeatsIsAnotherBucket(int $ttl): void
    {
        $bucket = new TimeBucket($ttl);

        self::assertNotSame(
            $bucket->of(new DateTimeImmutable('2026-10-25T02:30:00+02:00')),
            $bucket->of(new DateTimeImmutable('2026-10-25T02:30:00+01:00')),
        );
    }

    public function testWhatIsNoBucketNeverEnds(): void
    {
        foreach (['', '2026', '2026-13-99T99:99+00:00', '2026-11-21T06:1+00:00', '2026-11-21T06:15'] as $bucket) {
            self::assertSame(PHP_INT_MAX, (new TimeBucket(60))->end($bucket));
        }
    }

    public function testIsReadable(): void
    {
        $time = new DateTimeImmutable('2026-11-21T06:17:43-03:30');
        $buckets = array_map(
            static fn(int $ttl): string => (new TimeBucket($ttl))->of($time),
            [1, 15, 60, 300, 3600, 21600, 86400],
        );

        self::assertSame(
            [
                '2026-11-21T06:17:43-03:30', '2026-11-21T06:17:30-03:30', '2026-11-21T06:17-03:30',
                '2026-11-21T06:15-03:30', '2026-11-21T06-03:30', '2026-11-21T06-03:30', '2026-11-21-03:30',
            ],
            $buckets,
        );
    }

    /**
     * @param array<string, string> $patterns
     *
     * @return list<string>
     */
    private static function byNginx(array $patterns, string $time): array
    {
        $buckets = [];
        foreach ($patterns as $pattern => $bucket) {
            if (preg_match('~' . $pattern . '~', $time, $matches) === 1) {
                $buckets[] = strtr(
                    $bucket,
                    [
                        '${larder_head}' => $matches['larder_head'] ?? '',
                        '${larder_zone}' => $matches['larder_zone'] ?? '',
                    ],
                );
            }
        }

        return $buckets;
    }
}
