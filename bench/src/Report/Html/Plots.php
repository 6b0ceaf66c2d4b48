<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Ranking;
use Larder\Bench\Report\Summary;
use Larder\Bench\Result\Cell;

/** What the page's script draws: every plot's numbers, ready to be drawn, and the box that is kept free for it. */
final class Plots
{
    /** Points between one nine and the next. */
    private const STEPS = 8;
    private const NINES = 6;

    /** @var list<array<string, mixed>> */
    private array $plots = [];

    public function __construct(private readonly Markup $markup) {}

    /** @param array<string, mixed> $plot */
    public function box(array $plot, string $label): string
    {
        $this->plots[] = $plot;

        return \sprintf(
            '<div class="plot" data-plot="%d" role="img" aria-label="%s"></div>',
            \count($this->plots) - 1,
            Markup::text($label),
        );
    }

    public function json(): string
    {
        return Markup::json(['shares' => self::shares(), 'plots' => $this->plots]);
    }

    /** Three digits are more than a screen has pixels for. */
    public static function rounded(?float $value): ?float
    {
        return $value === null || $value === 0.0 ? $value : (float) \sprintf('%.4g', $value);
    }

    /** @return list<float> 0, 0.25, … 0.9, … 0.99, … 0.999999 */
    private static function shares(): array
    {
        return array_map(
            static fn(int $step): float => round(1.0 - 10 ** (-$step / self::STEPS), 9),
            range(0, self::STEPS * self::NINES),
        );
    }

    /** Latency by percentile: the further to the right, the rarer. */
    public function spectrum(Ranking $ranking): string
    {
        $series = [];
        foreach ($ranking->measured as $cell) {
            $points = self::points($cell);
            if (\count($points) > 1) {
                [$colour, $dash] = $this->markup->look($cell->subject);
                $series[] = ['n' => $cell->subject, 'c' => $colour, 'd' => $dash, 'v' => $points];
            }
        }
        if ($series === []) {
            return '';
        }

        $of = Summary::latencyOf($ranking->chart);

        return '<figure class="spectrum"><figcaption>Latency by percentile, µs'
            . ($of === '' ? '' : ' <small>' . Markup::text($of) . '</small>') . '</figcaption>'
            . $this->box(
                ['k' => 'spectrum', 's' => $series],
                'Lines of latency by percentile; the table "All figures" has the same numbers',
            )
            . '<p class="readout" aria-hidden="true"></p></figure>';
    }

    /** @return list<float> as far as there are ten samples beyond */
    private static function points(Cell $cell): array
    {
        $points = [];
        foreach (self::shares() as $share) {
            $microseconds = $cell->percentile($share);
            if ($microseconds === null || $microseconds <= 0.0) {
                break;
            }
            $points[] = (float) self::rounded($microseconds);
        }

        return $points;
    }
}
