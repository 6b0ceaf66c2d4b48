<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\Advice;
use Larder\Bench\Report\BreakEven;
use Larder\Bench\Report\Findings;
use Larder\Bench\Result\Cell;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(BreakEven::class)]
final class BreakEvenTest extends TestCase
{
    private const RATES = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5, 101.5, 98.5, 100.0];

    public function testTheSmallestBatchThatIsFasterIsTold(): void
    {
        $advice = self::advice([self::cell(500, 3.0), self::cell(1, 0.5), self::cell(50, 2.0), self::cell(0)]);

        self::assertCount(1, $advice);
        self::assertMatchesRegularExpression(
            '/^Break-even batch: 50\. Rates as a multiple of include, by files a round trip: '
                . '1: 0\.50 \([^)]+\), 50: 2\.00 \([^)]+\), 500: 3\.00 \([^)]+\)\.$/Du',
            $advice[0]->answer,
        );
        self::assertSame(['code_files?process=fresh'], $advice[0]->charts);
    }

    public function testThereIsNoneWhereIncludeIsFaster(): void
    {
        $advice = self::advice([self::cell(0), self::cell(1, 0.1), self::cell(500, 0.2)]);

        self::assertStringStartsWith('Break-even batch: none. Rates', $advice[0]->answer);
    }

    public function testWhatTheIntervalsDoNotTellIsNotCalledNone(): void
    {
        $noisy = [4e2, 0.2e2, 6e2, 0.3e2, 5e2, 0.4e2, 2.5e2, 0.5e2, 3.9e2, 0.4e2];
        $advice = self::advice([self::cell(0), self::cell(1, 0.1), self::cell(500, rates: $noisy)]);

        self::assertStringStartsWith(
            'Break-even batch: none that this run can tell. The intervals are too wide for 500. Rates',
            $advice[0]->answer,
        );
    }

    public function testChartsWithoutIncludeOrWithoutBatchesSayNothing(): void
    {
        self::assertSame([], self::advice([self::cell(1), self::cell(10)]));
        self::assertSame([], self::advice([self::cell(0)]));
        self::assertSame([], self::advice([Fixture::cell('memcached', self::RATES)]));
    }

    /**
     * @param list<Cell> $cells
     *
     * @return list<Advice>
     */
    private static function advice(array $cells): array
    {
        $document = Fixture::of([Fixture::chart('code_files', $cells, ['process' => 'fresh'])]);

        return array_values(array_filter(
            (new Findings())->advice($document),
            static fn(Advice $advice): bool => str_starts_with($advice->answer, 'Break-even batch'),
        ));
    }

    /** @param list<float> $rates */
    private static function cell(int $files, float $factor = 1.0, array $rates = self::RATES): Cell
    {
        $cell = Fixture::cell(
            $files === 0 ? 'code-include' : "code-pool-$files",
            array_map(static fn(float $rate): float => $rate * $factor, $rates),
        );

        return new Cell(
            $cell->subject,
            $cell->state,
            $cell->error,
            $cell->flags,
            $cell->windows,
            $cell->latency,
            ['files per round trip' => (float) $files],
        );
    }
}
