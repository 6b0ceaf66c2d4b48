<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/** @internal The standard normal distribution, which PHP has no function for. */
final class Normal
{
    /** From here on the fraction needs fewer terms than the series, and the series loses digits. */
    private const FAR = 3.0;

    /** The fraction at FAR settles to the last digit of a float in fewer. */
    private const TERMS = 100;

    /** The chance of a value above $z, which is not negative; a relative error below 1e-12. */
    public static function tail(float $z): float
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

    /** The value that the given share of all are below; the share lies between 0.5 and 1. By bisection, to 1e-9. */
    public static function quantile(float $share): float
    {
        [$low, $high] = [0.0, 40.0];
        while ($high - $low > 1e-9) {
            $middle = ($low + $high) / 2;
            [$low, $high] = self::tail($middle) > 1.0 - $share ? [$middle, $high] : [$low, $middle];
        }

        return $high;
    }
}
