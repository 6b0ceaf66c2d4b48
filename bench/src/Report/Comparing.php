<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Measure;
use Larder\Bench\Result\Verdict;

/** Two runs, cell by cell: paired by chart id and subject, and tested as independent samples, for no block is common to both. */
final readonly class Comparing
{
    /** Values of the environment that change every figure. */
    private const SAME = ['machine.cpu', 'machine.cores', 'machine.kernel', 'php.version'];

    /** @param float $maxRegress share by which a figure may become worse, 0 to 1 */
    public function __construct(
        private Document $before,
        private Document $after,
        public float $maxRegress = 0.05,
        private Measure $measure = Measure::Rate,
    ) {}

    /** @return list<string> what differs between the machines, "php.version: 8.2.1, then 8.3.0": with any of it, figures are not comparable */
    public function differences(): array
    {
        $before = self::facts($this->before);
        $after = self::facts($this->after);
        $differences = [];
        foreach ($before + $after as $name => $unused) {
            $one = $before[$name] ?? 'not there';
            $other = $after[$name] ?? 'not there';
            if ($one !== $other) {
                $differences[] = \sprintf('%s: %s, then %s', $name, $one, $other);
            }
        }

        return $differences;
    }

    /** @return list<ComparedCell> of all that both runs have, in the earlier one's order */
    public function cells(): array
    {
        $cells = [];
        foreach ($this->before->charts as $chart) {
            $later = $this->after->chart($chart->id);
            foreach ($later === null ? [] : $chart->cells as $cell) {
                $new = $later?->cell($cell->subject);
                if ($new !== null) {
                    $cells[] = $this->compared($chart, $cell, $new);
                }
            }
        }

        return $cells;
    }

    /** @return list<string> cells that only one run has: "only before: memcached of keys?workers=2" */
    public function unpaired(): array
    {
        return [...self::missing('only before', $this->before, $this->after), ...self::missing('only after', $this->after, $this->before)];
    }

    private function compared(Chart $chart, Cell $before, Cell $after): ComparedCell
    {
        if (!$before->isMeasured() || !$after->isMeasured()) {
            $same = $before->state === $after->state;
            $change = \sprintf($same ? '%s in both' : '%s, now %s', self::state($before), self::state($after));
            // A cell that is wrong, or fails, where it was not is worse than any figure.
            $isWorse = ($before->isMeasured() && $after->state === CellState::Failed) || ($before->state !== CellState::Wrong && $after->state === CellState::Wrong);

            return new ComparedCell($chart->id, $before->subject, null, $isWorse, $change);
        }
        $comparison = Comparison::unpaired($after, $before, $this->measure);

        return new ComparedCell($chart->id, $before->subject, $comparison, $this->hasRegressed($comparison));
    }

    private function hasRegressed(Comparison $comparison): bool
    {
        if ($comparison->ratio === null || $comparison->low === null || $comparison->high === null) {
            return false;
        }
        // Of CPU more is worse, so its ratio is turned over first.
        [$median, $best] = $this->measure === Measure::Rate ? [$comparison->ratio, $comparison->high] : [1.0 / $comparison->ratio, 1.0 / $comparison->low];

        return $best < 1.0 - $this->maxRegress || ($median < 1.0 - $this->maxRegress && $comparison->verdict === Verdict::Slower);
    }

    private static function state(Cell $cell): string
    {
        return $cell->state->value . ($cell->error === null || $cell->isMeasured() ? '' : ' (' . $cell->error . ')');
    }

    /** @return list<string> */
    private static function missing(string $where, Document $one, Document $other): array
    {
        $missing = [];
        foreach ($one->charts as $chart) {
            foreach ($chart->cells as $cell) {
                if ($other->chart($chart->id)?->cell($cell->subject) === null) {
                    $missing[] = \sprintf('%s: %s of %s', $where, $cell->subject, $chart->id);
                }
            }
        }

        return $missing;
    }

    /** @return array<string, string> */
    private static function facts(Document $document): array
    {
        $facts = [];
        foreach (self::SAME as $path) {
            $facts[$path] = Summary::environment($document, $path) ?? 'not told';
        }
        foreach (['extensions' => null, 'servers' => 'version'] as $group => $member) {
            $values = $document->environment[$group] ?? [];
            foreach (\is_array($values) ? $values : [] as $name => $value) {
                $value = $member !== null && \is_array($value) ? $value[$member] ?? null : $value;
                if (\is_scalar($value)) {
                    $facts[$group . '.' . $name] = (string) $value;
                }
            }
        }

        return $facts;
    }
}
