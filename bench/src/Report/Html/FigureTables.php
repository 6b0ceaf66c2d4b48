<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Verdict;

/** The tables of a chart: every figure, a row a subject; and every subject against every other. */
final readonly class FigureTables
{
    private const PERCENTILES = ['p50 µs' => 0.5, 'p90 µs' => 0.9, 'p99 µs' => 0.99, 'p99.9 µs' => 0.999];

    public function render(Ranking $ranking): string
    {
        $extras = [];
        foreach ($ranking->measured as $cell) {
            $extras += $cell->extra;
        }
        $extras = array_map(strval(...), array_keys($extras));
        $reference = $ranking->reference();
        $head = [
            '',
            $ranking->chart->unit . '/s',
            '95 % interval',
            $reference === null ? 'ratio' : '× ' . $reference->subject,
            'CPU µs, client',
            'CPU µs, server',
            'MB/s',
            ...array_keys(self::PERCENTILES), 'errors', 'spread between', 'spread within', ...$extras, 'notes',
        ];
        $rows = [];
        foreach ($ranking->measured as $cell) {
            $rows[] = $this->row($ranking, $cell, $reference, $extras);
        }
        foreach ($ranking->faulty as $cell) {
            $rows[] = \sprintf(
                '<tr><th scope="row">%s</th><td class="bad words" colspan="%d">%s</td></tr>',
                Markup::text($cell->subject),
                \count($head) - 1,
                Markup::text((string) Ranking::fault($cell)),
            );
        }
        foreach ($ranking->absent as $cell) {
            $rows[] = \sprintf(
                '<tr><th scope="row">%s</th><td class="words" colspan="%d">n/a: %s</td></tr>',
                Markup::text($cell->subject),
                \count($head) - 1,
                Markup::text($cell->error ?? 'no reason given'),
            );
        }

        return '<details><summary>All figures</summary>' . Markup::table('All figures', $head, $rows, 'figures')
            . '</details>';
    }

    /** @param list<string> $extras */
    private function row(Ranking $ranking, Cell $cell, ?Cell $reference, array $extras): string
    {
        $figures = [
            Figures::number($cell->rate()?->median),
            Figures::range($cell->rate()),
            $cell === $reference || $reference === null
                ? '1'
                : Figures::comparison($ranking->chart->compare($cell->subject, $reference->subject)),
            Figures::number($cell->clientCpu()?->median),
            Figures::number($cell->serverCpu()?->median),
            Figures::number($cell->megabytes()?->median),
        ];
        foreach (self::PERCENTILES as $share) {
            $figures[] = Figures::number($cell->percentile($share));
        }
        $figures[] = Figures::share($cell->errorShare());
        $figures[] = Figures::share($cell->spreadBetween());
        $figures[] = Figures::share($cell->spreadWithin());
        foreach ($extras as $name) {
            $figures[] = isset($cell->extra[$name]) ? Figures::exact($cell->extra[$name]) : Figures::NONE;
        }
        $cells = implode('', array_map(static fn(string $figure): string => Markup::element('td', $figure), $figures));

        return \sprintf(
            '<tr%s><th scope="row">%s</th>%s<td class="words">%s</td></tr>',
            $cell->errorShare() > 0.0 ? ' class="bad"' : '',
            Markup::text($cell->subject),
            $cells,
            Markup::text(implode('; ', $ranking->flags($cell))),
        );
    }

    /** Every subject against every other: how many times the column's rate the row has. */
    public function matrix(Ranking $ranking): string
    {
        if (\count($ranking->measured) < 2) {
            return '';
        }
        $rows = [];
        foreach ($ranking->measured as $row) {
            $cells = '';
            foreach ($ranking->measured as $column) {
                $cells .= $row === $column ? '<td>' : self::cell($ranking, $row->subject, $column->subject);
            }
            $rows[] = '<tr><th scope="row">' . Markup::text($row->subject) . '</th>' . $cells . '</tr>';
        }
        $head = ['row / column', ...array_map(static fn(Cell $cell): string => $cell->subject, $ranking->measured)];

        return '<details><summary>Each against each</summary><p class="hint">How many times the column\'s rate the '
            . 'row has: median over the blocks, 95 % interval. Coloured where they differ; = where the whole interval '
            . 'lies within 5 % of 1; ? where the run cannot tell.</p>'
            . Markup::table('Ratios of rates', $head, $rows, 'matrix') . '</details>';
    }

    private static function cell(Ranking $ranking, string $row, string $column): string
    {
        $comparison = $ranking->chart->compare($row, $column);

        $class = match ($comparison->verdict) {
            Verdict::CannotTell => $comparison->low === null ? '' : 'u',
            Verdict::Equal => 'e',
            Verdict::Faster => 'f',
            Verdict::Slower => 's',
        };

        // Of these there are more than of anything else, so they leave out every letter that HTML can do without.
        return $class === ''
            ? '<td>' . Figures::NONE
            : \sprintf('<td class=%s>%s<i>%s</i>', $class, match ($class) {
                'e' => '=', 'u' => '?', default => Figures::ratio($comparison->ratio),
            }, Figures::bounds($comparison));
    }
}
