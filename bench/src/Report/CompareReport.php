<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

/**
 * What came of comparing two runs, for people and for programs.
 *
 * @phpstan-import-type ComparedCell from Comparing
 */
final readonly class CompareReport
{
    /** @var list<ComparedCell> */
    private array $cells;

    public function __construct(private Comparing $comparing)
    {
        $this->cells = $comparing->cells();
    }

    /** @return list<ComparedCell> */
    public function regressions(): array
    {
        return array_values(array_filter($this->cells, static fn(array $cell): bool => $cell['regressed']));
    }

    /** Whether the runs have no cell in common, so that nothing was compared. */
    public function isEmpty(): bool
    {
        return $this->cells === [];
    }

    public function text(): string
    {
        $text = $this->cells === [] ? "The two runs have no cell in common.\n" : '';
        $rows = [];
        foreach ($this->cells as $place => $cell) {
            $rows[] = self::row($cell);
            if ($cell['chart'] !== ($this->cells[$place + 1]['chart'] ?? null)) {
                $text .= ConsoleReport::wrap($cell['chart'])
                    . ConsoleReport::table(['', 'after / before', '95 %', 'p', ''], $rows, [0, 4]);
                $rows = [];
            }
        }
        foreach ($this->comparing->differences() as $difference) {
            $text .= ConsoleReport::wrap('! The environments differ in ' . $difference);
        }
        foreach ($this->comparing->unpaired() as $cell) {
            $text .= ConsoleReport::wrap('! ' . $cell);
        }
        foreach ($this->regressions() as $cell) {
            $text .= ConsoleReport::wrap(
                \sprintf(
                    'REGRESSED: %s of %s: %s',
                    $cell['subject'],
                    $cell['chart'],
                    $cell['comparison'] === null ? (string) $cell['change'] : Figures::comparison($cell['comparison']),
                ),
            );
        }

        return $text
            . \sprintf(
                "%s compared, %d worse by more than %s\n",
                Figures::count(\count($this->cells), 'cell'),
                \count($this->regressions()),
                Figures::percent($this->comparing->maxRegress),
            );
    }

    /**
     * @return array{
     *     maxRegress: float,
     *     regressed: bool,
     *     differences: list<string>,
     *     unpaired: list<string>,
     *     cells: list<array<string, mixed>>,
     * }
     */
    public function toArray(): array
    {
        return [
            'maxRegress' => $this->comparing->maxRegress,
            'regressed' => $this->regressions() !== [],
            'differences' => $this->comparing->differences(),
            'unpaired' => $this->comparing->unpaired(),
            'cells' => array_map(static fn(array $cell): array => [
                'chart' => $cell['chart'],
                'subject' => $cell['subject'],
                'regressed' => $cell['regressed'],
                'change' => $cell['change'],
                'comparison' => $cell['comparison']?->toArray(),
            ], $this->cells),
        ];
    }

    /**
     * @param ComparedCell $cell
     *
     * @return list<string>
     */
    private static function row(array $cell): array
    {
        return $cell['comparison'] === null
            ? [$cell['subject'], ($cell['regressed'] ? 'REGRESSED: ' : '') . $cell['change']]
            : [
                $cell['subject'],
                Figures::ratio($cell['comparison']->ratio),
                Figures::bounds($cell['comparison']),
                $cell['comparison']->p === null
                    ? Figures::NONE
                    : \sprintf($cell['comparison']->p < 0.001 ? '< 0.001' : '%.3f', $cell['comparison']->p),
                $cell['regressed'] ? 'REGRESSED' : $cell['comparison']->verdict->value,
            ];
    }
}
