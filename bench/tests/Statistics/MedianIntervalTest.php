<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use DomainException;
use Larder\Bench\Statistics\Distribution;
use Larder\Testbed\Quantile;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

#[CoversClass(Quantile::class)]
final class MedianIntervalTest extends TestCase
{
    public function testRanksAreThoseOfTheBinomialDistributionOfScipy(): void
    {
        foreach (Fixtures::read()['ranks'] as ['n' => $n, 'confidence' => $confidence, 'ranks' => $ranks]) {
            self::assertSame($ranks, Quantile::medianRanks($n, $confidence), "$n values, $confidence");
        }
    }

    public function testIntervalsAreWhatTheSignTestOfScipyDoesNotReject(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['median intervals'] as [
            'sample' => $sample,
            'confidence' => $confidence,
            'interval' => $interval,
        ]) {
            self::assertSame(
                $interval,
                Quantile::medianInterval($fixtures['samples'][$sample], $confidence),
                "$sample, $confidence",
            );
        }
    }

    public function testSixValuesAreTheFewest(): void
    {
        self::assertNull(Quantile::medianRanks(5));
        self::assertSame([1, 6], Quantile::medianRanks(6));
        self::assertNull(Quantile::medianRanks(5, 0.5));
    }

    public function testAConfidenceThatIsMetExactlyIsMet(): void
    {
        // The chance that six values are all on one side is 2 / 64.
        self::assertSame([1, 6], Quantile::medianRanks(6, 1 - 2 / 64));
        self::assertNull(Quantile::medianRanks(6, 1 - 1.9 / 64));
        self::assertSame([2, 9], Quantile::medianRanks(10, 1 - 2 * 11 / 1024));
    }

    /**
     * 20,000 intervals of a skewed distribution. The share of those that hold the median has a standard error of at
     * most 0.0016; it must not be below 95 % by more than three of them, nor above what the ranks of that size promise.
     */
    #[TestWith([6, 0.96875])]
    #[TestWith([10, 0.978515625])]
    #[TestWith([25, 0.956714])]
    public function testTheIntervalHoldsTheMedianAsOftenAsItSays(int $n, float $promised): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(20240607));
        $held = 0;
        for ($trial = 0; $trial < 20_000; ++$trial) {
            $values = [];
            for ($i = 0; $i < $n; ++$i) {
                $values[] = Distribution::exponential($random, 1.0);
            }
            $interval = Quantile::medianInterval($values);
            self::assertNotNull($interval);
            $held += $interval[0] <= M_LN2 && $interval[1] >= M_LN2 ? 1 : 0;
        }
        self::assertGreaterThan(0.95 - 0.005, $held / 20_000);
        self::assertEqualsWithDelta($promised, $held / 20_000, 0.005);
    }

    #[TestWith([0.0])]
    #[TestWith([1.0])]
    #[TestWith([NAN])]
    public function testAConfidenceOutsideIsRefused(float $confidence): void
    {
        $this->expectException(DomainException::class);
        Quantile::medianRanks(10, $confidence);
    }
}
