<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

use InvalidArgumentException;

/** The median, and the distribution-free interval around it that order statistics give. */
final readonly class Median
{
    private function __construct(
        public float $value,
        public float $low,
        public float $high,
        public float $confidence,
    ) {}

    /**
     * The interval runs between the narrowest pair of order statistics whose coverage, binomial(n, 1/2), is at least 95 %;
     * with fewer than six values no pair reaches that, and it runs from the least to the greatest.
     *
     * @param list<float> $values at least one
     */
    public static function of(array $values): self
    {
        $count = \count($values);
        if ($count === 0) {
            throw new InvalidArgumentException('There is no median of nothing.');
        }
        sort($values);
        $middle = intdiv($count, 2);
        $median = $count % 2 === 1 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
        $lowest = 0;
        for ($rank = 1; $rank <= $middle && self::coverage($count, $rank) >= 0.95; ++$rank) {
            $lowest = $rank;
        }

        return new self($median, $values[$lowest], $values[$count - 1 - $lowest], self::coverage($count, $lowest));
    }

    /** Chance that the true median lies between the values of rank r and n-1-r, counted from 0. */
    private static function coverage(int $count, int $rank): float
    {
        $outside = 0.0;
        $term = 0.5 ** $count;
        for ($i = 0; $i <= $rank; ++$i) {
            $outside += $term;
            $term *= ($count - $i) / ($i + 1);
        }

        return max(0.0, 1 - 2 * $outside);
    }
}
