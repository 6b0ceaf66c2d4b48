<?php

declare(strict_types=1);

namespace Larder\Testbed;

use DomainException;

/**
 * Quantiles of a sample, in the unit of its values, with the interval of its median and its spread; and those of the
 * standard normal distribution, which PHP has no function for.
 *
 * Between two values they are interpolated: type 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50 (1996).
 */
final class Quantile
{
    /** Values that an interval of the median needs. */
    private const FEWEST = 6;

    /** Of a tail's size: what rounding may add to it when it is exactly as large as is allowed. */
    private const ROUNDING = 1e-9;

    /** From here on the fraction needs fewer terms than the series, and the series loses digits. */
    private const FAR = 3.0;

    /** The fraction at FAR settles to the last digit of a float in fewer. */
    private const TERMS = 100;

    /**
     * @param list<float> $values in any order
     *
     * @throws DomainException without a value
     */
    public static function median(array $values): float
    {
        return self::of($values, 0.5);
    }

    /**
     * @param list<float> $values in any order
     * @param float       $share  0 gives the least value, 1 the greatest
     *
     * @throws DomainException without a value, or with a share that is not between 0 and 1
     */
    public static function of(array $values, float $share): float
    {
        // Put so that NAN fails as well.
        if (!($share >= 0.0 && $share <= 1.0)) {
            throw new DomainException(\sprintf('A share must lie between 0 and 1, not %s.', $share));
        }
        if ($values === []) {
            throw new DomainException('A quantile needs a value.');
        }
        sort($values);
        $place = (\count($values) - 1) * $share;
        $below = (int) $place;
        $part = $place - $below;

        return $part > 0.0 ? $values[$below] + $part * ($values[$below + 1] - $values[$below]) : $values[$below];
    }

    /**
     * A confidence interval of the median that assumes nothing of the distribution.
     *
     * Each value is below the true median with a chance of one half, so the number of values below it is binomial, and
     * two of the sorted values enclose it with a known chance: W. R. Thompson, "On Confidence Ranges for the Median and
     * Other Expectation Distributions for Populations of Unknown Distribution Form", Annals of Mathematical Statistics
     * 7 (1936). Ties only raise that chance.
     *
     * @param list<float> $values in any order
     *
     * @return array{float, float}|null two of the values; null where medianRanks() is
     *
     * @throws DomainException
     */
    public static function medianInterval(array $values, float $confidence = 0.95): ?array
    {
        $ranks = self::medianRanks(\count($values), $confidence);
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
    public static function medianRanks(int $n, float $confidence = 0.95): ?array
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

    /**
     * The median distance from the median, as a share of the median; without the factor that would make it a standard
     * deviation.
     *
     * @param list<float> $values
     *
     * @return float|null null with fewer than two values, or a median that is not above zero
     */
    public static function relativeMad(array $values): ?float
    {
        $median = \count($values) < 2 ? 0.0 : self::median($values);
        if ($median <= 0.0) {
            return null;
        }

        return self::median(array_map(static fn(float $value): float => abs($value - $median), $values)) / $median;
    }

    /** The chance of a standard normal value above $z, which is not negative; a relative error below 1e-12. */
    public static function normalTail(float $z): float
    {
        $density = exp(-$z * $z / 2) / sqrt(2 * M_PI);
        if ($z >= self::FAR) {
            // M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.2.14, from its inner end.
            $fraction = $z;
            for ($i = self::TERMS; $i > 0; --$i) {
                $fraction = $z + $i / $fraction;
            }

            return $density / $fraction;
        }
        // The same, 26.2.11.
        $sum = $term = $z;
        for ($i = 3; $term > 1e-17; $i += 2) {
            $term *= $z * $z / $i;
            $sum += $term;
        }

        return 0.5 - $density * $sum;
    }

    /**
     * The value that the given share of a standard normal distribution is below; the share lies between 0.5 and 1. By
     * bisection, to 1e-9.
     */
    public static function ofNormal(float $share): float
    {
        [$low, $high] = [0.0, 40.0];
        while ($high - $low > 1e-9) {
            $middle = ($low + $high) / 2;
            [$low, $high] = self::normalTail($middle) > 1.0 - $share ? [$middle, $high] : [$low, $middle];
        }

        return $high;
    }
}
