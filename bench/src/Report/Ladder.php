<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** Charts of one test that differ in one number only, so that their rates make a curve. */
final readonly class Ladder
{
    /** Share of errors from which a subject counts as broken at that step. */
    public const BROKEN = 0.001;

    private const LOADS = ['workers', 'connections'];

    /** Two steps make a curve of these; other numbers need three. */
    private const STEPS = [...self::LOADS, 'batch'];

    /**
     * @param string      $parameter that they differ in
     * @param list<Chart> $charts    by rising value of it
     */
    private function __construct(
        public string $parameter,
        public array $charts,
    ) {}

    /** @return list<self> */
    public static function in(Document $document): array
    {
        $groups = [];
        foreach ($document->charts as $chart) {
            foreach ($chart->parameters as $name => $value) {
                if (\is_int($value) || \is_float($value)) {
                    $others = array_diff_key($chart->parameters, [$name => true]);
                    ksort($others);
                    $groups[$chart->test . "\0" . $name . "\0" . serialize($others)][] = $chart;
                }
            }
        }
        $ladders = [];
        foreach ($groups as $group => $charts) {
            $parameter = explode("\0", $group)[1];
            if (\count($charts) >= (\in_array($parameter, self::STEPS, true) ? 2 : 3)) {
                usort(
                    $charts,
                    static fn(
                        Chart $one,
                        Chart $other,
                    ): int => $one->parameters[$parameter] <=> $other->parameters[$parameter],
                );
                $ladders[] = new self($parameter, $charts);
            }
        }

        return $ladders;
    }

    /** @return list<float> */
    public function steps(): array
    {
        return array_map(fn(Chart $chart): float => (float) $chart->parameters[$this->parameter], $this->charts);
    }

    /** @return list<string> in the order of the charts' cells */
    public function subjects(): array
    {
        $subjects = [];
        foreach ($this->charts as $chart) {
            foreach ($chart->cells as $cell) {
                if ($cell->state !== CellState::Absent) {
                    $subjects[$cell->subject] = true;
                }
            }
        }

        return array_map(strval(...), array_keys($subjects));
    }

    /** @return list<Cell|null> one a step */
    public function cells(string $subject): array
    {
        return array_map(static fn(Chart $chart): ?Cell => $chart->cell($subject), $this->charts);
    }

    /**
     * The first step at which it failed or gave more errors than 0.1 %; a wrong reply is no overload, and voids the
     * subject.
     */
    public function breakingPoint(string $subject): ?float
    {
        foreach ($this->cells($subject) as $step => $cell) {
            if ($cell !== null && ($cell->state === CellState::Failed || $cell->errorShare() > self::BROKEN)) {
                return $this->steps()[$step];
            }
        }

        return null;
    }

    /** Whether it goes up by load, under which a subject may break. */
    public function isOfLoad(): bool
    {
        return \in_array($this->parameter, self::LOADS, true);
    }

    /** Whether the rate that one worker sees is another than that of all together. */
    public function isSeenByEach(): bool
    {
        foreach ($this->isOfLoad() ? $this->charts : [] as $chart) {
            foreach ($chart->cells as $cell) {
                if (\count($cell->windows[0]->workers ?? []) > 1) {
                    return true;
                }
            }
        }

        return false;
    }

    /** What all its charts have in common: "size 400". */
    public function conditions(): string
    {
        $names = array_values(
            array_diff(array_map(strval(...), array_keys($this->charts[0]->parameters)), [$this->parameter]),
        );

        return $names === [] ? '' : Figures::conditions($this->charts[0], $names);
    }
}
