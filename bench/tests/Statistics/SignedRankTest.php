<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use Larder\Bench\Statistics\Looks;
use Larder\Bench\Statistics\RankSum;
use Larder\Bench\Statistics\SignedRank;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;

#[CoversClass(Looks::class)]
#[CoversClass(RankSum::class)]
#[CoversClass(SignedRank::class)]
final class SignedRankTest extends TestCase
{
    /**
     * Depression scale factors, Hollander and Wolfe (1973), table 3.1: their estimate, and the interval with 96.1 %.
     */
    public function testIsThatOfTheTextbook(): void
    {
        $before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        $after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        $differences = array_map(static fn(float $one, float $other): float => $other - $one, $before, $after);

        [$estimate, $low, $high] = SignedRank::interval($differences, 0.96);
        self::assertEqualsWithDelta([-0.46, -0.786, -0.010], [$estimate, $low, $high], 0.0001);
    }

    public function testHoldsTheCentreAsOftenAsItSays(): void
    {
        $random = new Randomizer(new Mt19937(5));
        foreach ([[8, 0.95], [20, 0.95], [40, 0.95], [10, 0.99]] as [$count, $confidence]) {
            $held = 0;
            for ($sample = 0; $sample < 600; ++$sample) {
                [, $low, $high] = SignedRank::interval(self::normal($random, $count), $confidence);
                $held += $low <= 0.0 && $high >= 0.0 ? 1 : 0;
            }
            self::assertEqualsWithDelta($confidence, $held / 600, 0.03, "$count values, $confidence");
        }
    }

    public function testOneWildValueDoesNotMoveIt(): void
    {
        $calm = [-0.02, -0.01, -0.005, 0.0, 0.002, 0.004, 0.01, 0.012, 0.015, 0.02];
        [$estimate, , $high] = SignedRank::interval([...$calm, ...$calm, 9.0]);

        self::assertLessThan(0.01, $estimate);
        self::assertLessThan(0.05, $high);
    }

    public function testTooFewValuesHaveNoInterval(): void
    {
        self::assertSame([2.0, null, null], SignedRank::interval([1.0, 2.0, 3.0]));
        $this->expectException(\DomainException::class);
        SignedRank::interval([]);
    }

    /**
     * Who looks after each block and stops at the first interval without 0 errs far more often than the looks allow.
     */
    public function testLookingOftenDoesNotMakeErrorsMoreFrequent(): void
    {
        $random = new Randomizer(new Mt19937(6));
        $looks = Looks::between(10, 40);
        $errors = 0;
        for ($chart = 0; $chart < 400; ++$chart) {
            $values = self::normal($random, $looks->most());
            foreach ($looks->blocks as $blocks) {
                [, $low, $high] = SignedRank::interval(
                    \array_slice($values, 0, $blocks),
                    Looks::confidence(\count($looks->blocks)),
                );
                if ($low > 0.0 || $high < 0.0) {
                    ++$errors;
                    break;
                }
            }
        }

        self::assertLessThanOrEqual(0.05, $errors / 400);
        self::assertSame([10, 14, 20, 28, 39], $looks->blocks);
        self::assertSame([12], Looks::once(12)->blocks);
        self::assertEqualsWithDelta(0.99, Looks::confidence(5), 1e-12);
        self::assertEqualsWithDelta(0.95, Looks::confidence(1), 1e-12);
    }

    public function testTheShiftOfTwoSamplesIsBetweenItsBounds(): void
    {
        $random = new Randomizer(new Mt19937(7));
        $held = 0;
        for ($sample = 0; $sample < 400; ++$sample) {
            $moved = array_map(static fn(float $value): float => $value + 2.0, self::normal($random, 12));
            [, $low, $high] = RankSum::shift($moved, self::normal($random, 15));
            $held += $low <= 2.0 && $high >= 2.0 ? 1 : 0;
        }

        self::assertEqualsWithDelta(0.95, $held / 400, 0.035);
        self::assertSame([1.0, null, null], RankSum::shift([2.0, 3.0], [1.0, 2.0]));
    }

    /** @return list<float> */
    private static function normal(Randomizer $random, int $count): array
    {
        $uniform = static fn(): float => ($random->getInt(1, 1 << 30)) / (1 << 30);

        return array_map(
            static fn(): float => sqrt(-2 * log($uniform())) * cos(2 * M_PI * $uniform()),
            range(1, $count),
        );
    }
}
