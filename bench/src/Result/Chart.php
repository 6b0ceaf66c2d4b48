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
     * @param string $unit what is counted: "operations", "keys", "requests", "pairs"
     * @param array<string, bool|float|int|string>   $parameters the conditions: "workers" => 2
     * @param list<Cell>                             $cells
     * @param string                                 $placement  on which processors client and server ran
     * @param int $looks planned ones, over which the error of the intervals is spread
     */
    public function __construct(
        public string $id,
        public string $test,
        public string $title,
        public string $work,
        public string $unit,
        public array $parameters,
        public array $cells,
        public string $placement = '',
        public int $looks = 1,
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

    /**
     * How often as fast (or how many times the CPU) the first is as the second, block by block.
     *
     * @param Comparison::RATE|Comparison::CPU $measure
     */
    public function compare(string $subject, string $with, string $measure = Comparison::RATE): Comparison
    {
        return Comparison::paired($this->cell($subject), $this->cell($with), $measure, $this->looks);
    }

    /**
     * Whether the intervals tell enough to end the chart: each of these subjects against the fastest of them.
     *
     * @param list<string> $subjects
     */
    public function isAnswered(array $subjects): bool
    {
        $cells = array_values(
            array_filter(
                array_map($this->cell(...), $subjects),
                static fn(?Cell $cell): bool => $cell !== null && $cell->isMeasured(),
            ),
        );
        usort(
            $cells,
            static fn(Cell $one, Cell $other): int => ($other->rate()->median ?? 0.0) <=> ($one->rate()->median ?? 0.0),
        );
        foreach (\array_slice($cells, 1) as $cell) {
            if (!$this->compare($cell->subject, $cells[0]->subject)->isAnswer()) {
                return false;
            }
        }

        return true;
    }
}
