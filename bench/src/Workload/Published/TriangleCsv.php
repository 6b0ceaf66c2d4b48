<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

/** The times as the source prints them: `runs;file;mysql;memcache`, and numbers as PHP's echo writes them. */
final readonly class TriangleCsv
{
    /**
     * @param non-empty-list<string>                       $columns
     * @param list<array<int, array<string, float>>>       $passes  milliseconds by number of variables and column
     */
    public function __construct(
        private array $columns,
        private array $passes,
    ) {}

    /** Every pass and then their average, with an empty line between. */
    public function text(): string
    {
        return implode("\n", array_map($this->table(...), [...$this->passes, $this->average()]));
    }

    /** In words, the time of each column for a whole pass: the median of the passes, the least and the most. */
    public function summary(): string
    {
        $parts = $medians = [];
        foreach ($this->columns as $column) {
            $sums = array_map(static fn(array $pass): float => array_sum(array_column($pass, $column)), $this->passes);
            sort($sums);
            $count = \count($sums);
            if ($count === 0) {
                continue;
            }
            $medians[$column] = ($sums[intdiv($count - 1, 2)] + $sums[intdiv($count, 2)]) / 2;
            $parts[] = \sprintf('%s %.1f (%.1f to %.1f)', $column, $medians[$column], $sums[0], $sums[$count - 1]);
        }
        asort($medians);

        return implode(', ', $parts)
            . (\count($medians) < 2 ? '' : \sprintf('; %s took least', array_key_first($medians)));
    }

    /** @return array<int, array<string, float>> */
    private function average(): array
    {
        $average = [];
        foreach ($this->passes as $pass) {
            foreach ($pass as $runs => $times) {
                foreach ($times as $column => $time) {
                    $average[$runs][$column] = ($average[$runs][$column] ?? 0.0) + $time / \count($this->passes);
                }
            }
        }

        return $average;
    }

    /** @param array<int, array<string, float>> $times */
    private function table(array $times): string
    {
        $text = implode(';', ['runs', ...$this->columns]) . "\n";
        foreach ($times as $runs => $row) {
            $cells = array_map(static fn(string $column): string => \sprintf('%.14G', $row[$column]), $this->columns);
            $text .= implode(';', [(string) $runs, ...$cells]) . "\n";
        }

        return $text;
    }
}
