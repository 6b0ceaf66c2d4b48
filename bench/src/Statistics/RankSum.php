<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use DomainException;
use Larder\Testbed\Quantile;

/**
 * Whether values of one sample tend to be above those of the other: H. B. Mann and D. R. Whitney, "On a Test of Whether
 * one of Two Random Variables is Stochastically Larger than the Other", Annals of Mathematical Statistics 18 (1947).
 */
final class RankSum
{
    /** Up to so many values in either sample the chance is counted out, and all counts fit an integer. */
    private const COUNTED = 20;

    /**
     * @param list<float> $a
     * @param list<float> $b
     *
     * @return float two-sided: the chance that equal distributions look at least as different as this
     *
     * @throws DomainException when either has no value
     */
    public static function p(array $a, array $b): float
    {
        $n = \count($a);
        $m = \count($b);
        if ($n === 0 || $m === 0) {
            throw new DomainException('A rank sum needs a value in both samples.');
        }
        [$ranks, $ties] = self::ranks($a, $b);
        $u = $ranks - $n * ($n + 1) / 2;
        $u = min($u, $n * $m - $u);

        return $ties === 0 && max($n, $m) <= self::COUNTED
            ? self::exact($n, $m, (int) $u)
            : self::approximate($n, $m, $u, $ties);
    }

    /**
     * By how much the values of one sample lie above those of the other: the median of all differences, and the
     * interval that goes with the test (M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", 1973,
     * sections 4.2 and 4.3).
     *
     * @param list<float> $a
     * @param list<float> $b
     *
     * @return array{float, float|null, float|null} estimate, low, high; no bounds from fewer than six values
     */
    public static function shift(array $a, array $b, float $confidence = 0.95): array
    {
        $differences = [];
        foreach ($a as $one) {
            foreach ($b as $other) {
                $differences[] = $one - $other;
            }
        }
        sort($differences);
        $all = \count($differences);
        $centre = ($differences[intdiv($all - 1, 2)] + $differences[intdiv($all, 2)]) / 2;
        $z = Quantile::ofNormal((1.0 + $confidence) / 2);
        $rank = (int) floor($all / 2 - $z * sqrt($all * (\count($a) + \count($b) + 1) / 12));
        $isEnough = min(\count($a), \count($b)) >= 6 && $rank >= 1;

        return [$centre, $isEnough ? $differences[$rank - 1] : null, $isEnough ? $differences[$all - $rank] : null];
    }

    /**
     * @param list<float> $a
     * @param list<float> $b
     *
     * @return array{float, int} the sum of the ranks of $a among all, equal values sharing the mean of theirs; and the
     *     sum of t^3 - t over the groups of t equal values
     */
    private static function ranks(array $a, array $b): array
    {
        $all = [...$a, ...$b];
        $inA = \count($a);
        asort($all);
        $sum = 0.0;
        $ties = 0;
        $rank = 0;
        // The group of equal values that is being read.
        $value = null;
        $size = $ofA = 0;
        foreach ($all as $place => $next) {
            if ($next !== $value) {
                $sum += $ofA * ($rank - ($size - 1) / 2);
                $ties += $size ** 3 - $size;
                $value = $next;
                $size = $ofA = 0;
            }
            ++$rank;
            ++$size;
            $ofA += $place < $inA ? 1 : 0;
        }

        return [$sum + $ofA * ($rank - ($size - 1) / 2), $ties + $size ** 3 - $size];
    }

    /**
     * Counts the orders of n and m values by their U: they are the coefficients of the product of (1 - x^(m+i)) / (1 -
     * x^i) over i = 1 ... n, the Gaussian binomial; G. E. Andrews, "The Theory of Partitions" (1976), chapter 3.
     */
    private static function exact(int $n, int $m, int $u): float
    {
        $orders = array_fill(0, $u + 1, 0);
        $orders[0] = 1;
        $all = 1.0;
        for ($i = 1; $i <= $n; ++$i) {
            for ($at = $u; $at >= $m + $i; --$at) {
                $orders[$at] -= $orders[$at - $m - $i];
            }
            for ($at = $i; $at <= $u; ++$at) {
                $orders[$at] += $orders[$at - $i];
            }
            $all *= ($m + $i) / $i;
        }

        return min(1.0, 2 * array_sum($orders) / $all);
    }

    /** U is nearly normal; half a step is taken off for its steps, and ties make its variance smaller. */
    private static function approximate(int $n, int $m, float $u, int $ties): float
    {
        $all = $n + $m;
        $variance = $n * $m / 12 * ($all + 1 - $ties / ($all * ($all - 1)));

        return $variance <= 0.0
            ? 1.0
            : min(1.0, 2 * Quantile::normalTail(max(0.0, ($n * $m / 2 - $u - 0.5) / sqrt($variance))));
    }
}
