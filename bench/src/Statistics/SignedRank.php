<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use Larder\Testbed\Quantile;

/**
 * The centre of paired differences with its interval, for differences that lie symmetrically about it, as those of two
 * subjects that take turns do; a few wild ones move it little.
 *
 * The Hodges-Lehmann estimate and Tukey's interval from F. Wilcoxon's signed-rank test: M. Hollander and D. A. Wolfe,
 * "Nonparametric Statistical Methods" (1973), sections 3.2 and 3.3. Against Student's t it loses 5 % of its efficiency
 * where the differences are normal, and wins without limit where they have outliers.
 */
final class SignedRank
{
    /** With more values the rank sum is close enough to normal. */
    private const COUNTED = 25;

    /**
     * @param list<float> $values
     *
     * @return array{float, float|null, float|null} estimate, low, high; no bounds where even the extreme values have
     *     not the confidence
     *
     * @throws \DomainException without a value, or with a confidence that is not between 0 and 1
     */
    public static function interval(array $values, float $confidence = 0.95): array
    {
        if ($values === [] || !($confidence > 0.0 && $confidence < 1.0)) {
            throw new \DomainException('A signed-rank interval needs a value, and a confidence between 0 and 1.');
        }
        $count = \count($values);
        $means = [];
        for ($one = 0; $one < $count; ++$one) {
            for ($other = $one; $other < $count; ++$other) {
                $means[] = ($values[$one] + $values[$other]) / 2;
            }
        }
        sort($means);
        $last = \count($means) - 1;
        $centre = ($means[intdiv($last, 2)] + $means[intdiv($last + 1, 2)]) / 2;
        $rank = self::rank($count, $confidence);

        return $rank === null ? [$centre, null, null] : [$centre, $means[$rank], $means[$last - $rank]];
    }

    /**
     * @return int|null how many of the sorted means lie outside of the interval at each end: the largest sum that the
     *     test rejects
     */
    private static function rank(int $count, float $confidence): ?int
    {
        $tail = (1.0 - $confidence) / 2;
        $sums = intdiv($count * ($count + 1), 2);
        if ($count > self::COUNTED) {
            $z = Quantile::ofNormal(1.0 - $tail);

            return max(0, (int) floor($sums / 2 - 1 - $z * sqrt($count * ($count + 1) * (2 * $count + 1) / 24)));
        }
        // The chance of each rank sum: every rank is positive with a chance of one half.
        $chances = array_fill(0, $sums + 1, 0.0);
        $chances[0] = 0.5 ** $count;
        for ($rank = 1; $rank <= $count; ++$rank) {
            for ($sum = $sums; $sum >= $rank; --$sum) {
                $chances[$sum] += $chances[$sum - $rank];
            }
        }
        $outside = 0.0;
        $least = null;
        foreach ($chances as $sum => $chance) {
            $outside += $chance;
            if ($outside > $tail * (1.0 + 1e-9)) {
                break;
            }
            $least = $sum;
        }

        return $least;
    }
}
