<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ladder;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Interval;
use Larder\Bench\Result\Role;

/**
 * Rates against workers, or whatever else a ladder of charts goes up by: of all together, and as one worker sees them.
 */
final readonly class Curves
{
    /** From so many times on, a scale has to be logarithmic for the lower part to be seen. */
    private const WIDE = 30;

    public function __construct(
        private Document $document,
        private Markup $markup,
        private Plots $plots,
    ) {}

    public function render(Ladder $ladder): string
    {
        $unit = $ladder->charts[0]->unit;
        $boxes = $this->plot(
            $ladder,
            \sprintf('All together, %s/s', $unit),
            static fn(Cell $cell): ?Interval => $cell->rate(),
        );
        if ($ladder->isSeenByEach()) {
            $boxes .= $this->plot(
                $ladder,
                \sprintf('One of the %s sees, %s/s', $ladder->parameter, $unit),
                static fn(Cell $cell): ?Interval => $cell->ratePerWorker(),
            );
        }
        $legend = '';
        foreach ($ladder->subjects() as $subject) {
            $legend .= \sprintf(
                '<button type="button" data-s="%s" aria-pressed="%s">%s%s</button>',
                Markup::text($subject),
                $this->isShown($ladder, $subject) ? 'true' : 'false',
                $this->markup->key($subject),
                Markup::text($subject),
            );
        }

        return \sprintf(
            '<section class="ladder"><h3>Against %s%s</h3><div class="pair">%s</div><div class="legend" role="group" '
                . 'aria-label="Lines shown">%s</div><p class="readout" aria-hidden="true"></p><details><summary>The '
                . 'curves as a table</summary>%s</details></section>',
            Markup::text($ladder->parameter),
            $ladder->conditions() === '' ? '' : ' <small>' . Markup::text($ladder->conditions()) . '</small>',
            $boxes,
            $legend,
            $this->table($ladder),
        );
    }

    /** @param \Closure(Cell): ?Interval $figure */
    private function plot(Ladder $ladder, string $title, \Closure $figure): string
    {
        $series = [];
        $values = [];
        foreach ($ladder->subjects() as $subject) {
            $intervals = array_map(
                static fn(?Cell $cell): ?Interval => $cell === null ? null : $figure($cell),
                $ladder->cells($subject),
            );
            [$colour, $dash] = $this->markup->look($subject);
            $series[] = [
                'n' => $subject, 'c' => $colour, 'd' => $dash, 'on' => $this->isShown($ladder, $subject),
                'v' => array_map(
                    static fn(?Interval $interval): ?float => Plots::rounded($interval?->median),
                    $intervals,
                ),
                'l' => array_map(static fn(?Interval $interval): ?float => Plots::rounded($interval?->low), $intervals),
                'h' => array_map(
                    static fn(?Interval $interval): ?float => Plots::rounded($interval?->high),
                    $intervals,
                ),
            ];
            if ($this->isShown($ladder, $subject)) {
                $values = [
                    ...$values,
                    ...array_filter(
                        array_map(static fn(?Interval $interval): ?float => $interval?->median, $intervals),
                        is_float(...),
                    ),
                ];
            }
        }
        $steps = $ladder->steps();
        $plot = [
            'k' => 'curve',
            'x' => $steps,
            'name' => $ladder->parameter,
            'lx' => self::isWide($steps, 4),
            'ly' => self::isWide($values, self::WIDE),
            's' => $series,
        ];

        return '<figure><figcaption>' . Markup::text($title) . ($plot['ly'] ? ' <small>logarithmic</small>' : '')
            . (\count($steps) === 2 ? ' <small>two points only: nothing was measured between them</small>' : '')
            . '</figcaption>'
            . $this->plots->box(
                $plot,
                $title . ' against ' . $ladder->parameter
                    . ', lines with 95 % bands; the table below has the same numbers',
            )
                . '</figure>';
    }

    private function table(Ladder $ladder): string
    {
        $rows = [];
        foreach ($ladder->subjects() as $subject) {
            $cells = '';
            foreach ($ladder->cells($subject) as $cell) {
                $cells .= match (true) {
                    $cell === null => '<td>' . Figures::NONE . '</td>',
                    Ranking::fault($cell) !== null => Markup::element('td', Ranking::word($cell), 'bad'),
                    default => \sprintf(
                        '<td%s>%s<small>%s</small></td>',
                        $cell->errorShare() > 0.0 ? ' class="bad"' : '',
                        Figures::number($cell->rate()?->median),
                        $ladder->isSeenByEach()
                            ? Figures::number($cell->ratePerWorker()?->median) . ' each'
                            : Figures::spread($cell->rate()),
                    ),
                };
            }
            $breaks = $ladder->breakingPoint($subject);
            $rows[] = '<tr><th scope="row">' . Markup::text($subject) . '</th>' . $cells
                . ($ladder->isOfLoad() ? '<td>' . ($breaks === null ? 'none' : Figures::exact($breaks)) . '</td>' : '')
                . '</tr>';
        }
        $head = array_map(
            fn(float $step): string => Figures::condition(
                $ladder->parameter,
                floor($step) === $step ? (int) $step : $step,
            ),
            $ladder->steps(),
        );

        return Markup::table(
            'Rates by ' . $ladder->parameter,
            ['', ...$head, ...($ladder->isOfLoad() ? ['breaks at'] : [])],
            $rows,
            'figures',
        );
    }

    /** What is far above the others would press them to the ground; a press on its name brings it in. */
    private function isShown(Ladder $ladder, string $subject): bool
    {
        if (($this->document->sheet($subject)->role ?? Role::Contender) === Role::Twin) {
            return false;
        }
        foreach ($ladder->charts as $chart) {
            $cell = $chart->cell($subject);
            if ($cell !== null && Ranking::of($this->document, $chart)->isOffScale($cell)) {
                return false;
            }
        }

        return true;
    }

    /** @param list<float> $values */
    private static function isWide(array $values, float $times): bool
    {
        return $values !== [] && min($values) > 0.0 && max($values) / min($values) >= $times;
    }
}
