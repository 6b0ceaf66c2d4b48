<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\Figures;
use Larder\Bench\Result\Interval;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(Figures::class)]
final class FiguresTest extends TestCase
{
    #[TestWith([83214.7, '83,200'])]
    #[TestWith([9_996_000.0, '10,000,000'])]
    #[TestWith([999.6, '1,000'])]
    #[TestWith([99.96, '100'])]
    #[TestWith([12.34, '12.3'])]
    #[TestWith([1.0, '1.00'])]
    #[TestWith([0.04567, '0.0457'])]
    #[TestWith([0.0, '0'])]
    #[TestWith([-83214.7, '-83,200'])]
    #[TestWith([null, '–'])]
    #[TestWith([INF, '–'])]
    public function testNumbersHaveThreeDigits(?float $value, string $expected): void
    {
        self::assertSame($expected, Figures::number($value));
    }

    #[TestWith([0.0, '0'])]
    #[TestWith([5.0, '5'])]
    #[TestWith([0.5, '0.5'])]
    #[TestWith([200.0, '200'])]
    #[TestWith([999.0, '999'])]
    #[TestWith([999.9, '1k'])]
    #[TestWith([15_000.0, '15k'])]
    #[TestWith([1_250_000.0, '1.25M'])]
    #[TestWith([3e9, '3G'])]
    public function testAnAxisHasShortOnes(float $value, string $expected): void
    {
        self::assertSame($expected, Figures::short($value));
    }

    #[TestWith([null, '–'])]
    #[TestWith([0.0, '0 %'])]
    #[TestWith([0.0001, '< 0.1 %'])]
    #[TestWith([0.0123, '1.2 %'])]
    #[TestWith([0.5, '50 %'])]
    public function testShares(?float $share, string $expected): void
    {
        self::assertSame($expected, Figures::share($share));
    }

    #[TestWith([1.4249, '1.42'])]
    #[TestWith([0.98, '0.98'])]
    #[TestWith([0.0145, '0.0145'])]
    #[TestWith([154.3, '154'])]
    #[TestWith([null, '–'])]
    public function testRatios(?float $ratio, string $expected): void
    {
        self::assertSame($expected, Figures::ratio($ratio));
    }

    #[TestWith([12_682.0, '12,682'])]
    #[TestWith([8.0, '8'])]
    #[TestWith([0.254, '0.254'])]
    public function testWhatIsExactIsNotRounded(float $value, string $expected): void
    {
        self::assertSame($expected, Figures::exact($value));
    }

    #[TestWith([41.2, '41 s'])]
    #[TestWith([312.0, '5 min 12 s'])]
    #[TestWith([7500.0, '2 h 5 min'])]
    public function testDurations(float $seconds, string $expected): void
    {
        self::assertSame($expected, Figures::duration($seconds));
    }

    public function testAnIntervalWithoutBoundsHasNoSpread(): void
    {
        self::assertSame('–', Figures::spread(new Interval(100.0, null, null)));
        self::assertSame('–', Figures::range(null));
        self::assertSame('± 5.0 %', Figures::spread(new Interval(100.0, 95.0, 105.0)));
        self::assertSame('95.0 to 105', Figures::range(new Interval(100.0, 95.0, 105.0)));
    }

    public function testConditionsAreReadAsWords(): void
    {
        $chart = Fixture::chart(
            'keys',
            [],
            [
                'workers' => 1,
                'batch' => 50,
                'keepalive' => true,
                'size' => 10_000,
                'rtt' => 0.2,
                'reads' => 95,
                'own_%s' => 'x',
                'check' => 'A/A',
            ],
        );

        self::assertSame(
            '1 worker, 50 keys at once, keep-alive, size 10,000, RTT 0.2 ms, 95 % reads, own %s x, A/A check',
            Figures::conditions($chart),
        );
        self::assertSame('keys', Figures::title(Fixture::chart('keys', [])));
    }
}
