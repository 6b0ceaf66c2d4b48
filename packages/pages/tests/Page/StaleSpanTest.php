<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\StaleAreas;
use Larder\Page\StaleSpan;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(StaleAreas::class)]
#[CoversClass(StaleSpan::class)]
final class StaleSpanTest extends TestCase
{
    /** For every bound there is, at both ends of a bucket. */
    public function testAPageIsFoundForAtMostItsSecondsAndForHalfOfThem(): void
    {
        for ($seconds = 1; $seconds <= 3600; ++$seconds) {
            $span = new StaleSpan($seconds);
            foreach ([1_999_999_999, 1_800_000_000] as $time) {
                foreach ([$span->bucket($time), $span->bucket($time) + $span->step - 1] as $change) {
                    $found = $span->end($span->bucket($change)) - $change;
                    self::assertLessThanOrEqual($seconds, $found);
                    self::assertGreaterThan($span->step * ($span->count() - 1), $found);
                }
            }
            self::assertLessThanOrEqual(4, $span->count());
            self::assertTrue($seconds === 1 || $span->count() > 1);
        }
    }

    public function testNginxMakesTheSameBuckets(): void
    {
        $steps = [];
        foreach ([1, 4, 10, 20, 40, 100, 200, 400, 1000, 2000, 3600] as $seconds) {
            $span = new StaleSpan($seconds);
            $steps[] = $span->step;
            for ($time = 1_999_990_000; $time < 2_000_010_000; $time += 3) {
                $made = [];
                foreach ($span->patterns() as $pattern => $bucket) {
                    if (preg_match('/' . $pattern . '/', $time . '.999', $match) === 1) {
                        $made[] = str_replace('${larder_head}', $match['larder_head'], $bucket);
                    }
                }
                self::assertSame([(string) $span->bucket($time)], $made);
            }
        }
        self::assertSame([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1000], $steps);
    }

    public function testEachPageHasTheSecondsOfItsArea(): void
    {
        $areas = new StaleAreas([new Area('/feed', stale: 5), new Area('/find', ttl: 10), new Area('/', stale: 60)]);
        self::assertSame([5, 60], array_keys($areas->spans()));
        foreach ([
            '/feed' => 5, '/feed/a?page=2' => 5, '/feeds' => 60, '/?page=2' => 60, '/find/a' => null,
            '/@2026-11-21T06:15+00:00/find/a' => null,
        ] as $key => $seconds) {
            self::assertSame($seconds, $areas->span($key)?->seconds, $key);
        }
        self::assertNull((new StaleAreas())->span('/'));
    }

    #[TestWith([0, null])]
    #[TestWith([3601, null])]
    #[TestWith([10, 10])]
    public function testAnAreaRefusesWhatItCannotPromise(int $stale, ?int $ttl): void
    {
        $this->expectException(InvalidSite::class);
        new Area('/', ttl: $ttl, stale: $stale);
    }
}
