<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;

/** Every figure of a chart, a row a subject. */
final readonly class FigureTable
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
                Tag::text($cell->subject),
                \count($head) - 1,
                Tag::text((string) Ranking::fault($cell)),
            );
        }
        foreach ($ranking->absent as $cell) {
            $rows[] = \sprintf(
                '<tr><th scope="row">%s</th><td class="words" colspan="%d">n/a: %s</td></tr>',
                Tag::text($cell->subject),
                \count($head) - 1,
                Tag::text($cell->error ?? 'no reason given'),
            );
        }

        return '<details><summary>All figures</summary>' . Tag::table('All figures', $head, $rows, 'figures')
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
        $cells = implode('', array_map(static fn(string $figure): string => Tag::of('td', $figure), $figures));

        return \sprintf(
            '<tr%s><th scope="row">%s</th>%s<td class="words">%s</td></tr>',
            $cell->errorShare() > 0.0 ? ' class="bad"' : '',
            Tag::text($cell->subject),
            $cells,
            Tag::text(implode('; ', $ranking->flags($cell))),
        );
    }
}
