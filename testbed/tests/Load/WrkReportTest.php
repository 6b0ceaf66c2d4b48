<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Load;

use Larder\Testbed\Load\WrkReport;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(WrkReport::class)]
final class WrkReportTest extends TestCase
{
    private const RESULT = [
        'replies' => 100,
        'begun' => 110,
        'right' => 80,
        'failed' => 0,
        'wrong' => 0,
        'cut' => 0,
        'seconds' => 2.0,
        'cpu' => 5.5,
        'steady' => true,
        'running' => [30, 80],
        'wrongWhy' => '',
        'wrongBody' => '',
        'failedStatus' => 0,
        'failedBody' => '',
        'connect' => 0,
        'read' => 0,
        'write' => 0,
        'timeout' => 0,
        'completed' => 100,
        'bytes' => 5000,
        'status' => 0,
        'duration' => 1_000_000,
    ];

    public function testTakesOutTheLatenciesThatNobodySaw(): void
    {
        // 10 connections with 10 replies each in a second: one in 100 ms. What wrk makes of one reply in 450 ms and 50
        // in 20 ms.
        $report = self::parse(
            [],
            "LATENCY 20000 50\nLATENCY 150000 1\nLATENCY 250000 1\nLATENCY 350000 3\nLATENCY 450000 1\n",
        );

        self::assertSame([20_000 => 50, 350_000 => 2, 450_000 => 1], $report->latencies);
        self::assertSame([20_000, 350_000, 450_000], array_map($report->percentile(...), [0.5, 0.97, 1.0]));
    }

    public function testCountsWhatIsMissingBeyondTheRequestsUnderWay(): void
    {
        self::assertSame([0, null], [self::parse(['begun' => 110])->broken, self::parse(['begun' => 110])->error]);
        self::assertSame(
            [7, 'a reply broke off'],
            [self::parse(['begun' => 117])->broken, self::parse(['begun' => 117])->error],
        );
        self::assertSame(
            [4, 'a connection failed'],
            [self::parse(['connect' => 3, 'timeout' => 1])->broken, self::parse(['connect' => 3])->error],
        );
    }

    public function testReadsTheRest(): void
    {
        $report = self::parse(['failed' => 2, 'failedStatus' => 502, 'failedBody' => bin2hex("<b>\n\0no")]);

        self::assertSame(
            [80, 2, 40.0, [30, 50], true],
            [$report->right, $report->failed, $report->rate(), $report->slices, $report->steady],
        );
        self::assertSame('status 502, "<b> ?no"', $report->error);
        self::assertSame([100, 5000, 100.0], [$report->requests, $report->bytes, $report->requestRate()]);
        self::assertNull($report->wrong);
        self::assertSame(
            'a byte less: "x"',
            self::parse(['wrong' => 1, 'wrongWhy' => bin2hex('a byte less'), 'wrongBody' => bin2hex('x')])->wrong,
        );
    }

    public function testWithoutAResultThereIsNone(): void
    {
        self::assertNull(WrkReport::parse("unable to connect to 127.0.0.1:1 Connection refused\n", 10));
    }

    /** @param array<string, mixed> $changed */
    private static function parse(array $changed, string $latencies = ''): WrkReport
    {
        $report = WrkReport::parse(
            "Running 1s test\n\nRESULT " . json_encode([...self::RESULT, ...$changed]) . "\n" . $latencies,
            10,
        );
        self::assertNotNull($report);

        return $report;
    }
}
