<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use DomainException;
use Larder\Bench\Statistics\RankSum;
use Larder\Testbed\Quantile;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(RankSum::class)]
#[CoversClass(Quantile::class)]
final class RankSumTest extends TestCase
{
    public function testChancesAreThoseOfScipy(): void
    {
        $fixtures = Fixtures::read();
        $methods = [];
        foreach ($fixtures['rank sums'] as ['a' => $a, 'b' => $b, 'method' => $method, 'p' => $p]) {
            // A share of p, for some are 1e-30.
            self::assertEqualsWithDelta(
                $p,
                RankSum::p($fixtures['samples'][$a], $fixtures['samples'][$b]),
                1e-9 * $p,
                "$a, $b, $method",
            );
            $methods[$method] = true;
        }
        self::assertCount(2, $methods);
    }

    public function testTheNormalTailIsThatOfScipy(): void
    {
        foreach (Fixtures::read()['normals'] as ['z' => $z, 'tail' => $tail]) {
            self::assertEqualsWithDelta($tail, Quantile::normalTail($z), 1e-12 * $tail, "z = $z");
        }
    }

    public function testTheSamplesMayChangePlaces(): void
    {
        $a = Fixtures::sample('ten');
        $b = Fixtures::sample('thirty, tied');

        self::assertSame(RankSum::p($a, $b), RankSum::p($b, $a));
    }

    public function testApartAsFarAsTheyCanBe(): void
    {
        // Two of the 20 orders of three and three values are as far apart.
        self::assertEqualsWithDelta(0.1, RankSum::p([1.0, 2.0, 3.0], [6.0, 5.0, 4.0]), 1e-15);
    }

    public function testEqualValuesDoNotDiffer(): void
    {
        self::assertSame(1.0, RankSum::p([4.0, 4.0, 4.0], [4.0, 4.0]));
    }

    public function testNoValuesAreTooFew(): void
    {
        $this->expectException(DomainException::class);
        RankSum::p([], [1.0]);
    }
}
