<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Larder\Testbed\Quantile;

/** A median and the interval that holds the true one with 95 %; without bounds from fewer than six values. */
final readonly class Interval
{
    public function __construct(
        public float $median,
        public ?float $low,
        public ?float $high,
    ) {}

    /** @param list<float> $values */
    public static function of(array $values): ?self
    {
        if ($values === []) {
            return null;
        }
        $bounds = Quantile::medianInterval($values);

        return new self(Quantile::median($values), $bounds[0] ?? null, $bounds[1] ?? null);
    }

    /** Half of the interval's width, as a share of the median. */
    public function halfWidth(): ?float
    {
        return $this->low === null || $this->high === null || $this->median <= 0.0
            ? null
            : ($this->high - $this->low) / 2 / $this->median;
    }
}
