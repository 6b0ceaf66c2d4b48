<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Percentile bootstrap: the spread of a figure over samples drawn, with replacement, from the sample.
 *
 * B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13. The same seed gives the same
 * bounds.
 */
final class Bootstrap
{
    /**
     * Bounds of median($a) / median($b), the two samples being drawn independently.
     *
     * @param list<float>  $a
     * @param list<float>  $b
     * @param positive-int $resamples
     *
     * @return array{float, float}
     *
     * @throws TooFewValues              when either has no value
     * @throws \InvalidArgumentException when a value of $b is not above zero
     */
    public static function ratioOfMedians(
        array $a,
        array $b,
        float $confidence = 0.95,
        int $resamples = 4000,
        int $seed = 1,
    ): array {
        if ($b !== [] && min($b) <= 0.0) {
            throw new \InvalidArgumentException('A ratio needs a divisor above zero.');
        }
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $ratios = [];
        for ($resample = 0; $resample < $resamples; ++$resample) {
            $ratios[] = Quantile::median(self::drawn($a, $random)) / Quantile::median(self::drawn($b, $random));
        }

        return self::bounds($ratios, $confidence);
    }

    /**
     * @param list<float>  $values
     * @param positive-int $resamples
     *
     * @return array{float, float} in the unit of the values
     *
     * @throws TooFewValues without a value
     * @throws BadShare
     */
    public static function median(array $values, float $confidence = 0.95, int $resamples = 4000, int $seed = 1): array
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $medians = [];
        for ($resample = 0; $resample < $resamples; ++$resample) {
            $medians[] = Quantile::median(self::drawn($values, $random));
        }

        return self::bounds($medians, $confidence);
    }

    /**
     * @param list<float> $values
     *
     * @return list<float> as many
     */
    private static function drawn(array $values, Randomizer $random): array
    {
        $last = \count($values) - 1;
        $drawn = [];
        for ($i = 0; $i <= $last; ++$i) {
            $drawn[] = $values[$random->getInt(0, $last)];
        }

        return $drawn;
    }

    /**
     * @param list<float> $figures
     *
     * @return array{float, float}
     */
    private static function bounds(array $figures, float $confidence): array
    {
        if (!($confidence > 0.0 && $confidence < 1.0)) {
            throw BadShare::of('A confidence', $confidence);
        }

        return [Quantile::of($figures, (1.0 - $confidence) / 2), Quantile::of($figures, (1.0 + $confidence) / 2)];
    }
}
