<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** What a result must hold beyond its form: every figure has its origin, and sums are sums. */
final readonly class Soundness
{
    /** @return list<string> a sentence each */
    public function faults(Document $document): array
    {
        $faults = [];
        $charts = [];
        foreach ($document->charts as $chart) {
            if (isset($charts[$chart->id])) {
                $faults[] = \sprintf('The chart %s is there twice.', $chart->id);
            }
            $charts[$chart->id] = true;
            $cells = [];
            foreach ($chart->cells as $cell) {
                if (isset($cells[$cell->subject])) {
                    $faults[] = \sprintf('%s has %s twice.', $chart->id, $cell->subject);
                }
                $cells[$cell->subject] = true;
                if ($document->sheet($cell->subject) === null) {
                    $faults[] = \sprintf('%s has no fairness sheet.', $cell->subject);
                }
                $faults = [...$faults, ...self::cellFaults($chart, $cell)];
            }
        }

        return array_values(array_unique($faults));
    }

    /** @return list<string> */
    private static function cellFaults(Chart $chart, Cell $cell): array
    {
        $name = \sprintf('%s of %s', $cell->subject, $chart->id);
        $faults = [];
        if ($cell->state === CellState::Measured && $cell->windows === []) {
            $faults[] = $name . ' counts as measured and has no window.';
        }
        if ($cell->state !== CellState::Measured && $cell->error === null) {
            $faults[] = \sprintf('%s is %s and does not say why.', $name, $cell->state->value);
        }
        $blocks = [];
        foreach ($cell->windows as $window) {
            if (isset($blocks[$window->block])) {
                $faults[] = \sprintf('%s has two windows in block %d.', $name, $window->block);
            }
            $blocks[$window->block] = true;
            if (array_sum($window->workers) !== $window->operations) {
                $faults[] = \sprintf(
                    '%s: the workers of block %d did %d operations, not %d.',
                    $name,
                    $window->block,
                    array_sum($window->workers),
                    $window->operations,
                );
            }
            if ($window->slices !== [] && array_sum($window->slices) > $window->operations) {
                $faults[] = \sprintf(
                    '%s: the slices of block %d hold more than its operations.',
                    $name,
                    $window->block,
                );
            }
        }

        return $faults;
    }
}
