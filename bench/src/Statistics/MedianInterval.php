<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use DomainException;

/**
 * A confidence interval of the median that assumes nothing of the distribution.
 *
 * Each value is below the true median with a chance of one half, so the number of values below it is binomial, and two
 * of the sorted values enclose it with a known chance: W. R. Thompson, "On Confidence Ranges for the Median and Other
 * Expectation Distributions for Populations of Unknown Distribution Form", Annals of Mathematical Statistics 7 (1936).
 * Ties only raise that chance.
 */
final class MedianInterval
{
    private const FEWEST = 6;

    /** Of a tail's size: what rounding may add to it when it is exactly as large as is allowed. */
    private const ROUNDING = 1e-9;

    /**
     * @param list<float> $values in any order
     *
     * @return array{float, float}|null two of the values; null where ranks() is
     *
     * @throws DomainException
     */
    public static function of(array $values, float $confidence = 0.95): ?array
    {
        $ranks = self::ranks(\count($values), $confidence);
        if ($ranks === null) {
            return null;
        }
        sort($values);

        return [$values[$ranks[0] - 1], $values[$ranks[1] - 1]];
    }

    /**
     * The closest pair of ranks, as far from the one end as from the other, that has at least the confidence.
     *
     * @return array{int, int}|null places among the sorted values, from 1; null with fewer than six values, or when
     *     even the least and the greatest are not enough
     *
     * @throws DomainException
     */
    public static function ranks(int $n, float $confidence = 0.95): ?array
    {
        if (!($confidence > 0.0 && $confidence < 1.0)) {
            throw new DomainException(\sprintf('A confidence must lie between 0 and 1, not %s.', $confidence));
        }
        if ($n < self::FEWEST) {
            return null;
        }
        $allowed = (1.0 - $confidence) / 2 * (1.0 + self::ROUNDING);
        // As a logarithm, for the chance that none is below the median is no float any more from 1,075 values on.
        $chance = -$n * M_LN2;
        $tail = exp($chance);
        $rank = 0;
        while ($tail <= $allowed && $rank < intdiv($n, 2)) {
            ++$rank;
            $chance += log(($n - $rank + 1) / $rank);
            $tail += exp($chance);
        }

        return $rank === 0 ? null : [$rank, $n + 1 - $rank];
    }
}
