<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Measure;

/** Two subjects of one run in every chart that has both, by rate and by CPU. */
final readonly class RatioReport
{
    /** @var list<array{Chart, Comparison, Comparison}> the chart, the ratio of rates, the ratio of CPU per operation */
    private array $rows;

    /** @param string|null $test only charts of it */
    public function __construct(
        private Document $document,
        private string $subject,
        private string $with,
        ?string $test = null,
    ) {
        $rows = [];
        foreach ($document->charts as $chart) {
            if (
                ($test === null || $chart->test === $test)
                && $chart->cell($subject) !== null
                && $chart->cell($with) !== null
            ) {
                $rows[] = [$chart, $chart->compare($subject, $with), $chart->compare($subject, $with, Measure::Cpu)];
            }
        }
        $this->rows = $rows;
    }

    /** Whether no chart has both. */
    public function isEmpty(): bool
    {
        return $this->rows === [];
    }

    public function text(): string
    {
        $rows = [];
        foreach ($this->rows as [$chart, $rate, $cpu]) {
            $rows[] = [
                $chart->id,
                Figures::ratio($rate->ratio),
                Figures::bounds($rate),
                Figures::ratio($cpu->ratio),
                Figures::bounds($cpu),
                (string) $rate->blocks,
                $rate->verdict->value,
            ];
        }

        return TextTable::wrap(
            \sprintf('%s / %s: median ratio with its 95 %% interval, block by block', $this->subject, $this->with),
        )
            . (
                $rows === []
                    ? "  No chart has both.\n"
                    : TextTable::of(['chart', 'rate', '', 'CPU', '', 'blocks', 'by rate'], $rows, [0, 6])
            )
            . ($this->document->isReliable() === false ? TextTable::wrap(Summary::check($this->document)) : '');
    }

    /** @return array{subject: string, with: string, reliable: bool|null, charts: list<array<string, mixed>>} */
    public function toArray(): array
    {
        return [
            'subject' => $this->subject,
            'with' => $this->with,
            'reliable' => $this->document->isReliable(),
            'charts' => array_map(static fn(array $row): array => [
                'chart' => $row[0]->id,
                'test' => $row[0]->test,
                'parameters' => (object) $row[0]->parameters,
                'rate' => self::comparison($row[1]),
                'cpu' => self::comparison($row[2]),
            ], $this->rows),
        ];
    }

    /**
     * @internal
     *
     * @return array{ratio: float|null, low: float|null, high: float|null, blocks: int, verdict: string, p: float|null}
     */
    public static function comparison(Comparison $comparison): array
    {
        return [
            'ratio' => $comparison->ratio,
            'low' => $comparison->low,
            'high' => $comparison->high,
            'blocks' => $comparison->blocks,
            'verdict' => $comparison->verdict->value,
            'p' => $comparison->p,
        ];
    }
}
