<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use Larder\Bench\Statistics\Dispersion;
use Larder\Bench\Statistics\TooFewValues;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Dispersion::class)]
final class DispersionTest extends TestCase
{
    public function testDistancesFromTheMedianAreThoseOfScipy(): void
    {
        $fixtures = Fixtures::read();
        foreach ($fixtures['medians'] as ['sample' => $sample, 'mad' => $mad]) {
            $found = Dispersion::relativeMad($fixtures['samples'][$sample]);
            if ($mad === null) {
                self::assertNull($found, $sample);
            } else {
                self::assertNotNull($found, $sample);
                self::assertEqualsWithDelta($mad, $found, 1e-12, $sample);
            }
        }
    }

    public function testComponentsAreThoseOfTheMeanSquaresOfScipy(): void
    {
        foreach (Fixtures::read()['components'] as $i => [
            'groups' => $groups,
            'between' => $between,
            'within' => $within,
        ]) {
            $found = Dispersion::components($groups);
            self::assertEqualsWithDelta($between, $found['between'], 1e-9, "between, $i");
            self::assertEqualsWithDelta($within, $found['within'], 1e-9, "within, $i");
        }
    }

    public function testEmptyGroupsAreLeftOut(): void
    {
        $groups = [[1.0, 2.0], [4.0, 5.5]];

        self::assertSame(Dispersion::components($groups), Dispersion::components([[], $groups[0], [], $groups[1]]));
    }

    /** @param list<list<float>> $groups */
    #[DataProvider('tooFew')]
    public function testTooFewGroupsOrValuesAreRefused(array $groups): void
    {
        $this->expectException(TooFewValues::class);
        Dispersion::components($groups);
    }

    /** @return iterable<string, array{list<list<float>>}> */
    public static function tooFew(): iterable
    {
        yield 'no group' => [[]];
        yield 'one group' => [[[1.0, 2.0, 3.0]]];
        yield 'one group that is not empty' => [[[1.0, 2.0, 3.0], []]];
        yield 'one value each' => [[[1.0], [2.0], [3.0]]];
    }
}
