<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/**
 * Quantiles of a sample, in the unit of its values.
 *
 * Between two values they are interpolated: type 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50 (1996).
 */
final class Quantile
{
    /**
     * @param list<float> $values in any order
     *
     * @throws TooFewValues without a value
     */
    public static function median(array $values): float
    {
        return self::of($values, 0.5);
    }

    /**
     * @param list<float> $values in any order
     * @param float       $share  0 gives the least value, 1 the greatest
     *
     * @throws TooFewValues without a value
     * @throws BadShare
     */
    public static function of(array $values, float $share): float
    {
        // Put so that NAN fails as well.
        if (!($share >= 0.0 && $share <= 1.0)) {
            throw BadShare::of('A share', $share);
        }
        if ($values === []) {
            throw new TooFewValues('A quantile needs a value.');
        }
        sort($values);
        $place = (\count($values) - 1) * $share;
        $below = (int) $place;
        $part = $place - $below;

        return $part > 0.0 ? $values[$below] + $part * ($values[$below + 1] - $values[$below]) : $values[$below];
    }
}
