<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Larder\Bench\Statistics\Bootstrap;
use Larder\Bench\Statistics\Quantile;
use Larder\Bench\Statistics\RankSum;

/** A ratio of two cells with its interval, and what may be said of it. */
final readonly class Comparison
{
    /** Within this share of 1 a difference is of no use to anybody. */
    public const NEGLIGIBLE = 0.02;

    /** With fewer pairs no distribution-free interval has 95 %. */
    public const FEWEST = 6;

    private function __construct(
        public ?float $ratio,
        public ?float $low,
        public ?float $high,
        public int $blocks,
        public Verdict $verdict,
        public ?float $p = null,
    ) {}

    /** Cells of one run: the ratio is taken within each block, which the machine's moods hit alike. */
    public static function paired(?Cell $subject, ?Cell $with, Measure $measure = Measure::Rate): self
    {
        if ($subject === null || $with === null || !$subject->isMeasured() || !$with->isMeasured()) {
            return self::unknown(0);
        }
        $others = [];
        foreach ($with->windows as $window) {
            $others[$window->block] = self::figure($window, $measure);
        }
        $logs = [];
        foreach ($subject->windows as $window) {
            $one = self::figure($window, $measure);
            $other = $others[$window->block] ?? null;
            if ($one > 0.0 && $other > 0.0) {
                $logs[] = log($one / $other);
            }
        }
        $interval = Interval::of($logs);
        if ($interval === null || $interval->low === null || $interval->high === null) {
            return self::unknown(\count($logs), $interval === null ? null : exp($interval->median));
        }

        return self::judged(exp($interval->median), exp($interval->low), exp($interval->high), \count($logs), $measure);
    }

    /** Cells of two runs, which have no block in common: a bootstrap interval of the ratio of medians, and a rank-sum test. */
    public static function unpaired(Cell $subject, Cell $with, Measure $measure = Measure::Rate): self
    {
        $one = self::figures($subject, $measure);
        $other = self::figures($with, $measure);
        if (min(\count($one), \count($other)) < self::FEWEST) {
            return self::unknown(min(\count($one), \count($other)));
        }
        [$low, $high] = Bootstrap::ratioOfMedians($one, $other);
        $p = RankSum::p($one, $other);
        $judged = self::judged(Quantile::median($one) / Quantile::median($other), $low, $high, min(\count($one), \count($other)), $measure);

        return new self($judged->ratio, $low, $high, $judged->blocks, $p < 0.05 ? $judged->verdict : Verdict::NoDifference, $p);
    }

    private static function judged(float $ratio, float $low, float $high, int $blocks, Measure $measure): self
    {
        $verdict = match (true) {
            $low <= 1.0 && $high >= 1.0,
            $low >= 1.0 - self::NEGLIGIBLE && $high <= 1.0 + self::NEGLIGIBLE => Verdict::NoDifference,
            ($ratio > 1.0) === ($measure === Measure::Rate) => Verdict::Faster,
            default => Verdict::Slower,
        };

        return new self($ratio, $low, $high, $blocks, $verdict);
    }

    private static function unknown(int $blocks, ?float $ratio = null): self
    {
        return new self($ratio, null, null, $blocks, Verdict::Unknown);
    }

    /** @return list<float> */
    private static function figures(Cell $cell, Measure $measure): array
    {
        $figures = $cell->isMeasured() ? array_map(static fn(Window $window): ?float => self::figure($window, $measure), $cell->windows) : [];

        return array_values(array_filter($figures, static fn(?float $figure): bool => $figure !== null && $figure > 0.0));
    }

    private static function figure(Window $window, Measure $measure): ?float
    {
        return $measure === Measure::Rate ? $window->rate() : $window->cpu();
    }
}
