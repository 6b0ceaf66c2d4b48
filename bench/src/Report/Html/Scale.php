<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;

/**
 * Where on a bar's track a rate lies, 0 to 1. Different rates have different places.
 *
 * From 0 in equal steps, so that lengths can be compared; where the subjects lie further apart than 12 times, from a
 * power of ten in decades, as dots.
 */
final readonly class Scale
{
    private const WIDE = 12;

    private function __construct(
        public bool $logarithmic,
        private float $low,
        private float $high,
    ) {}

    public static function of(Ranking $ranking): self
    {
        $rates = array_map(static fn(Cell $cell): float => $cell->rate()->median ?? 0.0, $ranking->measured);
        $rates = array_values(array_filter($rates, static fn(float $rate): bool => $rate > 0.0));
        $rates = $rates === [] ? [1.0] : $rates;
        // Room for the whiskers.
        $top = max([0.0, ...array_map(static fn(Cell $cell): float => $cell->rate()->high ?? 0.0, $ranking->measured)]);

        return max($rates) / min($rates) > self::WIDE
            ? new self(true, 10 ** floor(log10(min($rates) * 0.98)), max($top * 1.03, max($rates) * 1.15))
            : new self(false, 0.0, max(1e-9, $top * 1.03, max($rates) * 1.06));
    }

    public function place(float $rate): float
    {
        if (!$this->logarithmic) {
            return $rate / $this->high;
        }

        return $rate <= $this->low ? 0.0 : log($rate / $this->low) / log($this->high / $this->low);
    }

    /** Distance of the grid's lines. */
    public function step(): float
    {
        return $this->logarithmic ? log(10) / log($this->high / $this->low) : $this->tick() / $this->high;
    }

    /** @return list<array{float, float}> place and rate of what the axis is labelled with */
    public function ticks(): array
    {
        $ticks = [];
        for ($tick = 0; $tick * $this->step() <= 0.985; ++$tick) {
            $ticks[] = [$tick * $this->step(), $this->logarithmic ? $this->low * 10 ** $tick : $tick * $this->tick()];
        }

        return $ticks;
    }

    /** 1, 2 or 5 times a power of ten, so that there are three to six of it. */
    private function tick(): float
    {
        $power = 10 ** floor(log10($this->high / 3));
        foreach ([5, 2] as $times) {
            if ($times * $power * 3 <= $this->high) {
                return $times * $power;
            }
        }

        return $power;
    }
}
