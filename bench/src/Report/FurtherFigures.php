<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/**
 * What a run found beside rates: hit ratios, bytes of a value, system calls. A table a chart, at most 100 columns wide.
 */
final readonly class FurtherFigures
{
    /** Subjects that stand side by side. */
    private const ABREAST = 5;

    /** @var list<Chart> those that have any */
    private array $charts;

    /** @param string|null $test only charts of it */
    public function __construct(Document $document, ?string $test = null)
    {
        $this->charts = array_values(array_filter(
            $document->charts,
            static fn(Chart $chart): bool => ($test === null || $chart->test === $test)
                && array_filter(array_column($chart->cells, 'extra')) !== [],
        ));
    }

    public function isEmpty(): bool
    {
        return $this->charts === [];
    }

    public function text(): string
    {
        $text = '';
        foreach ($this->charts as $chart) {
            $text .= ($text === '' ? '' : "\n") . TextTable::wrap(Figures::title($chart));
            foreach (array_chunk(self::cells($chart), self::ABREAST) as $cells) {
                $text .= TextTable::of(
                    ['', ...array_map(static fn(Cell $cell): string => $cell->subject, $cells)],
                    self::rows($cells),
                );
            }
        }

        return $text;
    }

    /**
     * @return list<array{chart: string, test: string, parameters: object, subject: string, figures: array<string, float>}>
     */
    public function toArray(): array
    {
        $rows = [];
        foreach ($this->charts as $chart) {
            foreach (self::cells($chart) as $cell) {
                $rows[] = [
                    'chart' => $chart->id,
                    'test' => $chart->test,
                    'parameters' => (object) $chart->parameters,
                    'subject' => $cell->subject,
                    'figures' => $cell->extra,
                ];
            }
        }

        return $rows;
    }

    /** @return list<Cell> */
    private static function cells(Chart $chart): array
    {
        return array_values(array_filter($chart->cells, static fn(Cell $cell): bool => $cell->extra !== []));
    }

    /**
     * @param list<Cell> $cells
     *
     * @return list<list<string>>
     */
    private static function rows(array $cells): array
    {
        $names = [];
        foreach ($cells as $cell) {
            $names += $cell->extra;
        }
        $rows = [];
        foreach (array_keys($names) as $name) {
            $rows[] = [
                $name,
                ...array_map(
                    static fn(Cell $cell): string => isset($cell->extra[$name])
                        ? Figures::exact($cell->extra[$name])
                        : Figures::NONE,
                    $cells,
                ),
            ];
        }

        return $rows;
    }
}
