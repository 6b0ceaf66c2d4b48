<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\CsvReport;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Statistics\Histogram;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(CsvReport::class)]
final class CsvReportTest extends TestCase
{
    public function testEveryWindowHasALineWithItsConditionsAndItsRate(): void
    {
        $lines = self::parsed((new CsvReport())->render(Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', [400.0, 404.0], 2)], ['workers' => 2, 'keep' => true]),
            Fixture::chart(
                'page, "large"',
                [new Cell('page-hit', CellState::Failed, 'no', [], [], new Histogram())],
                ['size' => 0.5],
            ),
        ])));

        self::assertSame(
            [
                'chart', 'test', 'parameter_workers', 'parameter_keep', 'parameter_size', 'subject', 'state', 'block',
                'position', 'seconds', 'operations', 'errors', 'bytes', 'client_cpu_us', 'server_cpu_us', 'workers',
                'steady', 'offered', 'rate',
            ],
            $lines[0],
        );
        self::assertSame(
            [
                'keys?workers=2&keep=1', 'keys', '2', 'true', '', 'memcached', 'measured', '1', '0', '0.25', '101', '0',
                '43632', '4040', '2424', '50 51', 'true', '', '404',
            ],
            $lines[2],
        );
        self::assertSame(
            ['page, "large"?size=0.5', 'page, "large"', '', '', '0.5', 'page-hit', 'failed', ...array_fill(0, 12, '')],
            $lines[3],
        );
        self::assertCount(4, $lines);
    }

    public function testLinesEndAsTheRfcSaysAndAllAreOfOneLength(): void
    {
        $csv = (new CsvReport())->render(Fixture::document());

        self::assertStringEndsWith("\r\n", $csv);
        self::assertSame(substr_count($csv, "\n"), substr_count($csv, "\r\n"));
        foreach (self::parsed($csv) as $line) {
            self::assertCount(24, $line);
        }
    }

    /** @return list<list<string|null>> */
    private static function parsed(string $csv): array
    {
        return array_map(
            static fn(string $line): array => str_getcsv($line, ',', '"', ''),
            explode("\r\n", rtrim($csv, "\r\n")),
        );
    }
}
