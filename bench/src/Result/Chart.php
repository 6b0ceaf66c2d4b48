<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/** Cells that did the same work under the same conditions, so that their blocks can be compared. */
final readonly class Chart
{
    /**
     * @param string                                 $id         test and parameters: `keys?workers=2&size=400`
     * @param string                                 $test       its name: `keys`
     * @param string                                 $title      for people: "B1 keys: set, then get"
     * @param string                                 $work       what one operation is, in a line
     * @param string                                 $unit       what is counted: "operations", "keys", "requests", "pairs"
     * @param array<string, bool|float|int|string>   $parameters the conditions: "workers" => 2
     * @param list<Cell>                             $cells
     */
    public function __construct(
        public string $id,
        public string $test,
        public string $title,
        public string $work,
        public string $unit,
        public array $parameters,
        public array $cells,
    ) {}

    public function cell(string $subject): ?Cell
    {
        foreach ($this->cells as $cell) {
            if ($cell->subject === $subject) {
                return $cell;
            }
        }

        return null;
    }

    /** How often as fast (or how many times the CPU) the first is as the second, block by block. */
    public function compare(string $subject, string $with, Measure $measure = Measure::Rate): Comparison
    {
        return Comparison::paired($this->cell($subject), $this->cell($with), $measure);
    }
}
