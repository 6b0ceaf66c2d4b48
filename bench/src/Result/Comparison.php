<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Larder\Bench\Statistics\Looks;
use Larder\Bench\Statistics\RankSum;
use Larder\Bench\Statistics\SignedRank;

/** A ratio of two cells with its interval, and what may be said of it. */
final readonly class Comparison
{
    /** What is compared: operations per second of all workers together, of which more is better. */
    public const RATE = 'rate';

    /** What is compared: microseconds of CPU of client and server per operation, of which less is better. */
    public const CPU = 'cpu';

    /** Half of an interval's width, as a logarithm, that tells enough where the verdict is clear. */
    private const NARROW = 0.1;

    private function __construct(
        public ?float $ratio,
        public ?float $low,
        public ?float $high,
        public int $blocks,
        public Verdict $verdict,
        public ?float $p = null,
    ) {}

    /**
     * Cells of one run: the ratio is taken within each block, whose turns the machine's moods hit alike.
     *
     * @param self::RATE|self::CPU $measure
     * @param int $looks planned looks at the chart, each of which has its part of the allowed error
     */
    public static function paired(?Cell $subject, ?Cell $with, string $measure = self::RATE, int $looks = 1): self
    {
        $logs = self::logs($subject, $with, $measure);
        if ($logs === []) {
            return new self(null, null, null, 0, Verdict::CannotTell);
        }

        return self::judged(
            SignedRank::interval(array_values($logs), Looks::confidence($looks)),
            \count($logs),
            $measure,
        );
    }

    /**
     * Figures that have no block in common, as of two runs or two charts: each value of the one against each of the
     * other.
     *
     * @param list<float> $one   logarithms
     * @param list<float> $other
     * @param self::RATE|self::CPU $measure
     */
    public static function unpaired(array $one, array $other, string $measure = self::RATE): self
    {
        if ($one === [] || $other === []) {
            return new self(null, null, null, 0, Verdict::CannotTell);
        }

        return self::judged(
            RankSum::shift($one, $other),
            min(\count($one), \count($other)),
            $measure,
            RankSum::p($one, $other),
        );
    }

    /**
     * @param self::RATE|self::CPU $measure
     *
     * @return array<int, float> logarithms of the ratios by block
     */
    public static function logs(?Cell $subject, ?Cell $with, string $measure = self::RATE): array
    {
        $others = $with === null ? [] : self::figures($with, $measure);
        $logs = [];
        foreach ($subject === null ? [] : self::figures($subject, $measure) as $block => $figure) {
            if (isset($others[$block])) {
                $logs[$block] = $figure - $others[$block];
            }
        }

        return $logs;
    }

    /**
     * @param self::RATE|self::CPU $measure
     *
     * @return array<int, float> logarithms by block
     */
    public static function figures(Cell $cell, string $measure): array
    {
        $logs = [];
        foreach ($cell->isMeasured() ? $cell->windows : [] as $window) {
            $figure = $measure === self::RATE ? $window->rate() : $window->cpu();
            if ($figure > 0.0) {
                $logs[$window->block] = log($figure);
            }
        }

        return $logs;
    }

    /**
     * @return array{ratio: float|null, low: float|null, high: float|null, blocks: int, verdict: string, p: float|null}
     */
    public function toArray(): array
    {
        return [
            'ratio' => $this->ratio,
            'low' => $this->low,
            'high' => $this->high,
            'blocks' => $this->blocks,
            'verdict' => $this->verdict->value,
            'p' => $this->p,
        ];
    }

    /** Whether more blocks would tell nothing that matters. */
    public function isAnswer(): bool
    {
        return $this->verdict !== Verdict::CannotTell
            && $this->low > 0.0
            && log(($this->high ?? 0.0) / $this->low) / 2 <= self::NARROW;
    }

    /**
     * @param array{float, float|null, float|null} $interval of logarithms
     * @param self::RATE|self::CPU                 $measure
     */
    private static function judged(array $interval, int $blocks, string $measure, ?float $p = null): self
    {
        [$centre, $low, $high] = $interval;
        $low = $low === null ? null : exp($low);
        $high = $high === null ? null : exp($high);

        return new self(exp($centre), $low, $high, $blocks, Verdict::of($low, $high, $measure === self::RATE), $p);
    }
}
