<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use Larder\Bench\Statistics\BadShare;
use Larder\Bench\Statistics\Bootstrap;
use Larder\Bench\Statistics\TooFewValues;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Bootstrap::class)]
final class BootstrapTest extends TestCase
{
    /**
     * A bound is the quantile of so many random figures, so it is not exactly that of SciPy: the fixture says between
     * which two quantiles of SciPy's far greater number of figures it lies, five standard errors to either side.
     */
    public function testBoundsAreThoseOfScipyWithinTheErrorOfChance(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['bootstraps'] as [
            'a' => $a,
            'b' => $b,
            'confidence' => $confidence,
            'low' => $low,
            'high' => $high,
        ]) {
            $one = $fixtures['samples'][$a];
            $bounds = $b === null
                ? Bootstrap::median($one, $confidence, $fixtures['resamples'])
                : Bootstrap::ratioOfMedians($one, $fixtures['samples'][$b], $confidence, $fixtures['resamples']);

            self::assertBetween($low, $bounds[0], "low, $a, $b, $confidence");
            self::assertBetween($high, $bounds[1], "high, $a, $b, $confidence");
        }
    }

    public function testASeedRepeatsTheBoundsAndAnotherDoesNot(): void
    {
        $values = Fixtures::sample('fifty, skewed');
        $other = Fixtures::sample('two hundred');

        self::assertSame(
            Bootstrap::ratioOfMedians($values, $other, 0.95, 300, 5),
            Bootstrap::ratioOfMedians($values, $other, 0.95, 300, 5),
        );
        self::assertNotSame(
            Bootstrap::ratioOfMedians($values, $other, 0.95, 300, 5),
            Bootstrap::ratioOfMedians($values, $other, 0.95, 300, 6),
        );
        self::assertSame(Bootstrap::median($values, 0.9, 300, 5), Bootstrap::median($values, 0.9, 300, 5));
    }

    public function testEqualValuesLeaveNoDoubt(): void
    {
        self::assertSame([4.0, 4.0], Bootstrap::median([4.0, 4.0, 4.0], resamples: 50));
        self::assertSame([2.0, 2.0], Bootstrap::ratioOfMedians([4.0, 4.0], [2.0, 2.0, 2.0], resamples: 50));
    }

    public function testNoValuesAreTooFew(): void
    {
        $this->expectException(TooFewValues::class);
        Bootstrap::ratioOfMedians([1.0], []);
    }

    public function testADivisorOfZeroIsRefused(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('above zero');
        Bootstrap::ratioOfMedians([1.0, 2.0], [3.0, 0.0]);
    }

    public function testAConfidenceOfOneIsRefused(): void
    {
        $this->expectException(BadShare::class);
        Bootstrap::median([1.0, 2.0], 1.0, 10);
    }

    /** @param array{float, float} $bracket */
    private static function assertBetween(array $bracket, float $bound, string $what): void
    {
        // Where both ends are the same of the sample's values only the last digits may differ.
        self::assertGreaterThanOrEqual($bracket[0] - 1e-9, $bound, $what);
        self::assertLessThanOrEqual($bracket[1] + 1e-9, $bound, $what);
    }
}
