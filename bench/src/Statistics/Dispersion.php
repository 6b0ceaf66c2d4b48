<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

/** How far values lie apart. */
final class Dispersion
{
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
        $median = \count($values) < 2 ? 0.0 : Quantile::median($values);
        if ($median <= 0.0) {
            return null;
        }

        return Quantile::median(array_map(static fn(float $value): float => abs($value - $median), $values)) / $median;
    }
}
