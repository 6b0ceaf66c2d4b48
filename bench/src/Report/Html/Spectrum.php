<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Ranking;
use Larder\Bench\Report\Summary;
use Larder\Bench\Result\Cell;

/** Latency by percentile: the further to the right, the rarer. */
final readonly class Spectrum
{
    /** Points between one nine and the next. */
    private const STEPS = 8;
    private const NINES = 6;

    public function __construct(
        private Colours $colours,
        private Plots $plots,
    ) {}

    /** @return list<float> 0, 0.25, … 0.9, … 0.99, … 0.999999 */
    public static function shares(): array
    {
        return array_map(
            static fn(int $step): float => round(1.0 - 10 ** (-$step / self::STEPS), 9),
            range(0, self::STEPS * self::NINES),
        );
    }

    public function render(Ranking $ranking): string
    {
        $series = [];
        foreach ($ranking->measured as $cell) {
            $points = self::points($cell);
            if (\count($points) > 1) {
                [$colour, $dash] = $this->colours->look($cell->subject);
                $series[] = ['n' => $cell->subject, 'c' => $colour, 'd' => $dash, 'v' => $points];
            }
        }
        if ($series === []) {
            return '';
        }

        $of = Summary::latencyOf($ranking->chart);

        return '<figure class="spectrum"><figcaption>Latency by percentile, µs'
            . ($of === '' ? '' : ' <small>' . Tag::text($of) . '</small>') . '</figcaption>'
            . $this->plots->box(
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
            $points[] = (float) Plots::rounded($microseconds);
        }

        return $points;
    }
}
