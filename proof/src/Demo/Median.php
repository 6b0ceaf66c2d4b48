<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use InvalidArgumentException;
use Larder\Testbed\Quantile;

/**
 * A median with its interval of 95 %. With fewer than six values no interval reaches that, and it holds all of them.
 */
final readonly class Median
{
    private function __construct(
        public float $value,
        public float $low,
        public float $high,
    ) {}

    /** @param list<float> $values at least one */
    public static function of(array $values): self
    {
        if ($values === []) {
            throw new InvalidArgumentException('There is no median of nothing.');
        }
        [$low, $high] = Quantile::medianInterval($values) ?? [min($values), max($values)];

        return new self(Quantile::median($values), $low, $high);
    }
}
