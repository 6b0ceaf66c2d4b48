<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use Random\Randomizer;

/**
 * Random numbers that are not uniform: the times between arrivals, and the places of keys by their popularity.
 *
 * An instance is a Zipf distribution. It picks one of n, the k-th (from 1) in proportion to k^-theta, by
 * rejection-inversion, whose time does not grow with n: W. Hörmann and G. Derflinger, "Rejection-Inversion to Generate
 * Variates from Monotone Discrete Distributions", ACM Transactions on Modeling and Computer Simulation 6 (1996). A
 * point is taken below the curve x^-theta from 1/2 to n + 1/2, and kept when it falls into the bar of the nearest
 * integer.
 */
final readonly class Distribution
{
    /** Below it (e^t - 1) / t is 1 + t / 2 to the last digit of a float. */
    private const SMALL = 1e-8;

    /** Area below the curve at the left end, so moved that the first bar is kept whole, and at the right end. */
    private float $left;
    private float $right;

    /** So far below its integer a point is in the bar for sure, whatever the integer is. */
    private float $sure;

    private function __construct(
        private int $n,
        private float $theta,
    ) {
        if ($n < 1 || !($theta >= 0.0 && $theta < INF)) {
            throw new \InvalidArgumentException(
                'A Zipf distribution needs a number from 1 on and an exponent from 0 on.',
            );
        }
        $this->left = $this->area(1.5) - 1.0;
        $this->right = $this->area($n + 0.5);
        $this->sure = 2.0 - $this->inverse($this->area(2.5) - 2.0 ** -$theta);
    }

    /**
     * @param int   $n     at least 1
     * @param float $theta 0 makes all alike; not negative
     *
     * @throws \InvalidArgumentException
     */
    public static function zipf(int $n, float $theta = 0.99): self
    {
        return new self($n, $theta);
    }

    /**
     * The time between two arrivals that know nothing of one another, by inversion.
     *
     * @param float $mean not negative; the result has its unit
     */
    public static function exponential(Randomizer $random, float $mean): float
    {
        return -$mean * log(1.0 - self::uniform($random));
    }

    /** @return int 0, the most frequent, to n - 1 */
    public function next(Randomizer $random): int
    {
        do {
            $area = $this->right + self::uniform($random) * ($this->left - $this->right);
            $x = $this->inverse($area);
            $k = max(1, min($this->n, (int) ($x + 0.5)));
        } while ($k - $x > $this->sure && $area < $this->area($k + 0.5) - $k ** -$this->theta);

        return $k - 1;
    }

    /** Below the curve from 1 to $x: (x^(1 - theta) - 1) / (1 - theta), written so that theta = 1 is no exception. */
    private function area(float $x): float
    {
        $log = log($x);
        $t = (1.0 - $this->theta) * $log;

        return $log * (abs($t) > self::SMALL ? expm1($t) / $t : 1.0 + $t / 2);
    }

    private function inverse(float $area): float
    {
        // Rounding may carry it below, where there is no logarithm.
        $t = max(-1.0, (1.0 - $this->theta) * $area);

        return exp($area * (abs($t) > self::SMALL ? log1p($t) / $t : 1.0 - $t / 2));
    }

    /**
     * @return float from 0 to below 1, with all digits that a float has there; PHP has its own only since 8.3
     */
    private static function uniform(Randomizer $random): float
    {
        return $random->getInt(0, (1 << 53) - 1) / (1 << 53);
    }
}
