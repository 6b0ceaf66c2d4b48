<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use Random\Randomizer;

/** Random numbers that are not uniform. */
final class Distribution
{
    /**
     * The time between two arrivals that know nothing of one another, by inversion.
     *
     * @param float $mean not negative; the result has its unit
     */
    public static function exponential(Randomizer $random, float $mean): float
    {
        return -$mean * log(1.0 - self::uniform($random));
    }

    /** Popularity of keys: see Zipf. */
    public static function zipf(int $n, float $theta = 0.99): Zipf
    {
        return new Zipf($n, $theta);
    }

    /**
     * @internal
     *
     * @return float from 0 to below 1, with all digits that a float has there; PHP has its own only since 8.3
     */
    public static function uniform(Randomizer $random): float
    {
        return $random->getInt(0, (1 << 53) - 1) / (1 << 53);
    }
}
