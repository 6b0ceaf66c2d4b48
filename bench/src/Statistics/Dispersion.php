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

    /**
     * Splits the variance of grouped values into that of the groups and that within a group.
     *
     * By the method of moments for groups of different sizes: S. R. Searle, G. Casella and C. E. McCulloch, "Variance
     * Components" (1992), section 3.6. An estimate below zero, which chance can give, counts as zero.
     *
     * @param list<list<float>> $groups empty ones are left out
     *
     * @return array{between: float, within: float} variances, in the square of the values' unit
     *
     * @throws TooFewValues with fewer than two groups, or when none has two values
     */
    public static function components(array $groups): array
    {
        $groups = array_values(array_filter($groups, static fn(array $group): bool => $group !== []));
        $sizes = array_map(\count(...), $groups);
        $all = array_sum($sizes);
        $k = \count($groups);
        if ($k < 2 || $all === $k) {
            throw new TooFewValues('Variance components need two groups, and two values in one of them.');
        }
        $mean = array_sum(array_map(array_sum(...), $groups)) / $all;
        $between = $within = $squares = 0.0;
        foreach ($groups as $i => $group) {
            $own = array_sum($group) / $sizes[$i];
            $between += $sizes[$i] * ($own - $mean) ** 2;
            foreach ($group as $value) {
                $within += ($value - $own) ** 2;
            }
            $squares += $sizes[$i] ** 2;
        }
        $within /= $all - $k;

        return [
            'between' => max(0.0, ($between / ($k - 1) - $within) / (($all - $squares / $all) / ($k - 1))),
            'within' => $within,
        ];
    }
}
