<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use DomainException;
use Larder\Testbed\Quantile;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(Quantile::class)]
#[CoversClass(DomainException::class)]
final class QuantileTest extends TestCase
{
    public function testQuantilesAreThoseOfScipy(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['quantiles'] as ['sample' => $sample, 'share' => $share, 'value' => $value]) {
            self::assertEqualsWithDelta(
                $value,
                Quantile::of($fixtures['samples'][$sample], $share),
                1e-9,
                "$sample, $share",
            );
        }
    }

    public function testMediansAreThoseOfNumpy(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['medians'] as ['sample' => $sample, 'median' => $median]) {
            self::assertEqualsWithDelta($median, Quantile::median($fixtures['samples'][$sample]), 1e-9, $sample);
        }
    }

    public function testTheOrderOfTheValuesIsOfNoMatter(): void
    {
        self::assertSame(2.5, Quantile::median([4.0, 1.0, 3.0, 2.0]));
        self::assertSame(10.0, Quantile::median([9.0, 100.0, 10.0]));
    }

    public function testNothingHasNoMedian(): void
    {
        $this->expectException(DomainException::class);
        Quantile::median([]);
    }

    #[TestWith([-0.01])]
    #[TestWith([1.01])]
    #[TestWith([NAN])]
    public function testAShareOutsideIsRefused(float $share): void
    {
        $this->expectException(DomainException::class);
        Quantile::of([1.0, 2.0], $share);
    }
}
