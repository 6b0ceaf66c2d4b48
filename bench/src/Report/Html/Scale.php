<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;

/**
 * Where on a bar's track a rate lies, 0 to 1; beyond 1 it is cut off.
 *
 * From 0 in equal steps, so that lengths can be compared; only where the contenders lie further apart than 30 times, from a
 * power of ten in decades, as dots. What is far above them, a floor or a store of one host, does not stretch the scale.
 */
final readonly class Scale
{
    private const WIDE = 30;

    private function __construct(
        public bool $logarithmic,
        private float $low,
        private float $high,
    ) {}

    public static function of(Ranking $ranking): self
    {
        $isOn = static fn(Cell $cell): bool => !$ranking->isOffScale($cell);
        $rates = self::rates(array_values(array_filter($ranking->contenders(), $isOn)));
        $all = self::rates(array_values(array_filter($ranking->measured, $isOn)));
        $all = $all === [] ? [1.0] : $all;
        // Room for the whiskers.
        $top = max([0.0, ...array_map(static fn(Cell $cell): float => $isOn($cell) ? $cell->rate()->high ?? 0.0 : 0.0, $ranking->measured)]);
        $rates = $rates === [] ? $all : $rates;
        $lowest = min([INF, ...array_filter($all, static fn(float $rate): bool => $rate > 0.0)]);
        if (min($rates) > 0.0 && max($rates) / min($rates) > self::WIDE) {
            return new self(true, 10 ** floor(log10($lowest * 0.98)), max($top * 1.03, max($all) * 1.15));
        }

        return new self(false, 0.0, max(1e-9, $top * 1.03, max($all) * 1.06));
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

    /**
     * @param list<Cell> $cells
     *
     * @return list<float>
     */
    private static function rates(array $cells): array
    {
        return array_map(static fn(Cell $cell): float => $cell->rate()->median ?? 0.0, $cells);
    }
}
