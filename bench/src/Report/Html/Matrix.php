<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Verdict;

/** Every subject against every other: how many times the column's rate the row has. */
final readonly class Matrix
{
    public function render(Ranking $ranking): string
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
            $rows[] = '<tr><th scope="row">' . Tag::text($row->subject) . '</th>' . $cells . '</tr>';
        }
        $head = ['row / column', ...array_map(static fn(Cell $cell): string => $cell->subject, $ranking->measured)];

        return '<details><summary>Each against each</summary><p class="hint">How many times the column\'s rate the '
            . 'row has: median over the blocks, 95 % interval. Coloured where they differ; = where the whole interval '
            . 'lies within 5 % of 1; ? where the run cannot tell.</p>'
            . Tag::table('Ratios of rates', $head, $rows, 'matrix') . '</details>';
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
