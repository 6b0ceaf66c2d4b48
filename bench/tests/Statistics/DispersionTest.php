<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use Larder\Testbed\Quantile;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Quantile::class)]
final class DispersionTest extends TestCase
{
    public function testDistancesFromTheMedianAreThoseOfScipy(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['medians'] as ['sample' => $sample, 'mad' => $mad]) {
            $found = Quantile::relativeMad($fixtures['samples'][$sample]);
            if ($mad === null) {
                self::assertNull($found, $sample);
            } else {
                self::assertNotNull($found, $sample);
                self::assertEqualsWithDelta($mad, $found, 1e-12, $sample);
            }
        }
    }
}
