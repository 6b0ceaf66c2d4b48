<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Verdict;

/**
 * Two runs, cell by cell.
 *
 * Absolute figures of two runs lie apart by what the machine did meanwhile. So each subject is measured by a reference
 * in its own run, block by block: by a named subject, else by the chart's floor, else by the mean of the others; CPU
 * time by itself where there is no other. The ratios of the two runs are independent samples, tested by ranks. A run
 * has many cells, of which one in twenty would seem to differ by chance: S. Holm's sequential rejection (Scandinavian
 * Journal of Statistics 6, 1979) keeps the chance of any false alarm at 5 %.
 *
 * A compared cell has the later run's figure through the earlier one's, or null where either has no number; and what
 * else happened: "measured, now failed: Connection reset".
 *
 * @phpstan-type ComparedCell array{
 *     chart: string,
 *     subject: string,
 *     comparison: Comparison|null,
 *     regressed: bool,
 *     change: string|null,
 * }
 */
final readonly class Comparing
{
    /** Values of the environment that change every figure. */
    private const SAME = ['machine.cpu', 'machine.cores', 'machine.kernel', 'php.version'];

    private const ERROR = 0.05;

    /**
     * @param float       $maxRegress share by which a figure may become worse, 0 to 1
     * @param Comparison::RATE|Comparison::CPU $measure
     * @param string|null $reference  subject that the others are measured by
     */
    public function __construct(
        private Document $before,
        private Document $after,
        public float $maxRegress = 0.05,
        private string $measure = Comparison::RATE,
        private ?string $reference = null,
    ) {}

    /**
     * @return list<string> what differs between the machines, "php.version: 8.2.1, then 8.3.0": then figures are not
     *     comparable
     */
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
            // The A/A check tells of its own run.
            if ($later !== null && !isset($chart->parameters['check'])) {
                $cells = [...$cells, ...$this->chart($chart, $later)];
            }
        }

        return $this->judged($cells);
    }

    /** @return list<string> cells that only one run has: "only before: memcached of keys?workers=2" */
    public function unpaired(): array
    {
        return [
            ...self::missing('only before', $this->before, $this->after),
            ...self::missing('only after', $this->after, $this->before),
        ];
    }

    /** @return list<ComparedCell> */
    private function chart(Chart $before, Chart $after): array
    {
        $both = array_values(
            array_filter(
                $before->cells,
                static fn(Cell $cell): bool => $cell->isMeasured()
                    && $after->cell($cell->subject)?->isMeasured() === true,
            ),
        );
        $reference = $this->referenceOf($both);
        $moved = $reference === null ? null : $this->moved($reference, $both, $after);
        $cells = [];
        foreach ($before->cells as $cell) {
            $later = $after->cell($cell->subject);
            $cells[] = match (true) {
                $later === null => null,
                !$cell->isMeasured() || !$later->isMeasured() => self::changed($before, $cell, $later),
                $cell === $reference => self::compared(
                    $before->id,
                    $cell->subject,
                    null,
                    false,
                    'the reference' . ($moved === null ? '' : ', which moved: ' . Figures::comparison($moved)),
                ),
                \count($both) === 1 && $this->measure === Comparison::RATE => self::compared(
                    $before->id,
                    $cell->subject,
                    null,
                    false,
                    'no verdict: no other subject to measure it by; --measure=cpu compares CPU time',
                ),
                $moved !== null => self::compared(
                    $before->id,
                    $cell->subject,
                    null,
                    false,
                    \sprintf('no verdict: the reference %s moved', $reference->subject),
                ),
                default => self::compared(
                    $before->id,
                    $cell->subject,
                    Comparison::unpaired(
                        $this->ratios($later, $after, $reference, $both),
                        $this->ratios($cell, $before, $reference, $both),
                        $this->measure,
                    ),
                    false,
                ),
            };
        }

        return array_values(array_filter($cells));
    }

    /** @param list<Cell> $both measured in both runs */
    private function referenceOf(array $both): ?Cell
    {
        foreach ($both as $cell) {
            $isFloor = ($this->before->sheet($cell->subject)->role ?? null) === Role::Floor;
            if ($this->reference === null ? $isFloor : $cell->subject === $this->reference) {
                return $cell;
            }
        }

        return null;
    }

    /**
     * How the reference moved by itself: by more than a cell may become worse, while the median of the others did not
     * move alike.
     *
     * @param list<Cell> $both
     */
    private function moved(Cell $reference, array $both, Chart $after): ?Comparison
    {
        $shift = fn(Cell $cell): Comparison => Comparison::unpaired(
            array_values(Comparison::figures($after->cell($cell->subject) ?? $cell, $this->measure)),
            array_values(Comparison::figures($cell, $this->measure)),
            $this->measure,
        );
        $own = $shift($reference);
        $others = [];
        foreach ($both as $cell) {
            if ($cell !== $reference) {
                $others[] = log($shift($cell)->ratio ?? 1.0);
            }
        }
        sort($others);
        $median = $others === [] ? 0.0 : $others[intdiv(\count($others), 2)];
        $limit = -log(1.0 - $this->maxRegress);
        $isBeyond = ($own->low ?? 0.0) > exp($limit) || ($own->high ?? INF) < exp(-$limit);

        return $isBeyond && abs(log($own->ratio ?? 1.0) - $median) > $limit ? $own : null;
    }

    /**
     * @param Cell|null  $reference null: the mean of the others
     * @param list<Cell> $both
     *
     * @return list<float> logarithms of the ratios, one for each block
     */
    private function ratios(Cell $cell, Chart $chart, ?Cell $reference, array $both): array
    {
        if ($reference !== null) {
            return array_values(Comparison::logs($cell, $chart->cell($reference->subject), $this->measure));
        }
        $figures = Comparison::figures($cell, $this->measure);
        $sums = $counts = [];
        foreach ($both as $other) {
            foreach ($other->subject === $cell->subject ? [] : Comparison::figures(
                $chart->cell($other->subject) ?? $other,
                $this->measure,
            ) as $block => $figure) {
                $sums[$block] = ($sums[$block] ?? 0.0) + $figure;
                $counts[$block] = ($counts[$block] ?? 0) + 1;
            }
        }
        $ratios = [];
        foreach ($figures as $block => $figure) {
            if (($counts[$block] ?? 0) === \count($both) - 1) {
                $ratios[] = $figure - ($sums[$block] ?? 0.0) / max(1, \count($both) - 1);
            }
        }

        return $ratios;
    }

    /**
     * A cell that is wrong, or fails, where it was not is worse than any figure.
     *
     * @return ComparedCell
     */
    private static function changed(Chart $chart, Cell $before, Cell $after): array
    {
        $change = \sprintf(
            $before->state === $after->state ? '%s in both' : '%s, now %s',
            self::state($before),
            self::state($after),
        );
        $isWorse = ($before->isMeasured() && $after->state === CellState::Failed)
            || ($before->state !== CellState::Wrong && $after->state === CellState::Wrong);

        return self::compared($chart->id, $before->subject, null, $isWorse, $change);
    }

    /**
     * @param list<ComparedCell> $cells
     *
     * @return list<ComparedCell> the same, those that regressed marked
     */
    private function judged(array $cells): array
    {
        $chances = [];
        foreach ($cells as $place => $cell) {
            if ($cell['comparison']?->p !== null) {
                $chances[$place] = $cell['comparison']->p;
            }
        }
        asort($chances);
        $left = \count($chances);
        $rejected = [];
        foreach ($chances as $place => $chance) {
            if ($chance > self::ERROR / $left--) {
                break;
            }
            $rejected[$place] = true;
        }
        foreach ($cells as $place => $cell) {
            $cell['regressed'] = isset($rejected[$place]) ? $this->isWorse($cell['comparison']) : $cell['regressed'];
            $cells[$place] = $cell;
        }

        return $cells;
    }

    private function isWorse(?Comparison $comparison): bool
    {
        if ($comparison === null || $comparison->ratio === null || $comparison->verdict !== Verdict::Slower) {
            return false;
        }
        // Of CPU time more is worse, so its ratio is turned over first.
        $ratio = $this->measure === Comparison::RATE ? $comparison->ratio : 1.0 / $comparison->ratio;

        return $ratio < 1.0 - $this->maxRegress;
    }

    /** @return ComparedCell */
    private static function compared(
        string $chart,
        string $subject,
        ?Comparison $comparison,
        bool $regressed,
        ?string $change = null,
    ): array {
        return [
            'chart' => $chart,
            'subject' => $subject,
            'comparison' => $comparison,
            'regressed' => $regressed,
            'change' => $change,
        ];
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
