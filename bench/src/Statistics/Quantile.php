<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use DomainException;

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
     * @throws DomainException without a value
     * @throws DomainException
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
}
