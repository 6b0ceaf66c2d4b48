<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** A run for a terminal: a table a chart, at most 100 columns wide. */
final readonly class ConsoleReport
{
    public const WIDTH = 100;

    /** Subjects that stand side by side in a table of further figures. */
    private const ABREAST = 5;

    public function render(Document $document): string
    {
        $text = \sprintf(
            "larder-bench, %s profile, %s, %s\n",
            self::plain($document->profile),
            self::plain($document->started),
            Figures::duration($document->seconds),
        );
        $text .= self::wrap(Summary::completeness($document)) . self::wrap(Summary::check($document));
        foreach ($document->limits as $limit) {
            $text .= self::wrap('- ' . $limit);
        }
        foreach ($document->charts as $chart) {
            $text .= "\n" . $this->chart($document, $chart);
        }
        $advices = (new Findings())->advice($document);
        $text .= $advices === [] && $document->wrong() === []
            ? ''
            : "\nWhich to take\n" . self::wrap(implode(' ', (new Findings())->terms($document)), '  ');
        foreach ($advices as $advice) {
            $text .= self::wrap($advice->question, '  ') . self::wrap($advice->answer, '    ');
        }

        return $text . $this->faults($document);
    }

    private function chart(Document $document, Chart $chart): string
    {
        $ranking = Ranking::of($document, $chart);
        $best = $ranking->reference();
        $rows = [];
        $flagged = [];
        foreach ($ranking->measured as $cell) {
            $rows[] = $this->row($ranking, $cell, $best);
            foreach ($ranking->flags($cell) as $flag) {
                $flagged[$flag][] = $cell->subject;
            }
        }
        $notes = '';
        foreach ($flagged as $flag => $subjects) {
            $notes .= self::wrap(\sprintf('! %s: %s', implode(', ', $subjects), $flag), '  ');
        }
        foreach ($ranking->faulty as $cell) {
            $rows[] = [$cell->subject, (string) Ranking::fault($cell)];
        }
        foreach ($ranking->absent as $cell) {
            $rows[] = [$cell->subject, 'n/a: ' . ($cell->error ?? 'no reason given')];
        }
        $head = [
            '',
            $chart->unit . '/s',
            '',
            $best === null ? '' : '× ' . $best->subject,
            'CPU µs',
            '+ server',
            'p50 µs',
            'p99 µs',
        ];
        $latency = Summary::latencyOf($chart);
        $notes = self::wrap(
            Summary::coverage($chart) . ($latency === '' ? '' : \sprintf(' Latency %s.', $latency))
                . ($chart->placement === '' ? '' : \sprintf(' Placement: %s.', $chart->placement)),
            '  ',
        )
            . $notes;

        return self::wrap(Figures::title($chart)) . self::wrap($chart->work, '  ')
            . self::table($head, $rows) . $notes;
    }

    /** @return list<string> */
    private function row(Ranking $ranking, Cell $cell, ?Cell $best): array
    {
        $role = $ranking->role($cell);
        $mark = $role === Role::Contender || $role === Role::Twin ? '' : ' (' . strtok($role->label(), ',') . ')';
        $ratio = $cell === $best
            ? '1'
            : Figures::ratio($ranking->chart->compare($cell->subject, $best->subject ?? '')->ratio);

        return [
            $cell->subject . $mark,
            Figures::number($cell->rate()?->median),
            Figures::spread($cell->rate()),
            $ratio,
            Figures::number($cell->clientCpu()?->median),
            Figures::number($cell->serverCpu()?->median),
            Figures::number($cell->percentile(0.5)),
            Figures::number($cell->percentile(0.99)),
        ];
    }

    private function faults(Document $document): string
    {
        $faults = $document->faults();

        return $faults === []
            ? ''
            : \sprintf(
                "\n%s without a number: %s\n",
                Figures::count(\count($faults), 'cell'),
                Summary::faultsByState($document),
            );
    }

    /**
     * A table: columns as wide as they must be, long words cut, control characters out.
     *
     * @param list<string>       $head
     * @param list<list<string>> $rows  a row of fewer cells gives its last one the rest of the line
     * @param list<int>          $left  columns that are words, not numbers
     */
    public static function table(array $head, array $rows, array $left = [0]): string
    {
        $widths = [];
        foreach ([$head, ...$rows] as $row) {
            foreach ($row as $column => $cell) {
                if (\count($row) === \count($head)) {
                    $widths[$column] = max($widths[$column] ?? 0, mb_strlen(self::plain($cell)));
                } elseif ($column === 0) {
                    $widths[0] = max($widths[0] ?? 0, mb_strlen(self::plain($cell)));
                }
            }
        }
        $text = '';
        foreach ([$head, ...$rows] as $row) {
            $line = '';
            foreach ($row as $column => $cell) {
                $cell = self::plain($cell);
                $space = str_repeat(
                    ' ',
                    max(
                        0,
                        ($column === \count($row) - 1 && \in_array($column, $left, true) ? 0 : $widths[$column] ?? 0)
                            - mb_strlen($cell),
                    ),
                );
                $line .= '  '
                    . (
                        \in_array($column, $left, true) || \count($row) < \count($head)
                            ? $cell . $space
                            : $space . $cell
                    );
            }
            $text .= self::cut(rtrim($line)) . "\n";
        }

        return $text;
    }

    /** A paragraph, broken at the width. */
    public static function wrap(string $text, string $indent = ''): string
    {
        $lines = [];
        $line = $indent;
        foreach (explode(' ', self::plain($text)) as $word) {
            if (mb_strlen($line) > mb_strlen($indent) && mb_strlen($line) + 1 + mb_strlen($word) > self::WIDTH) {
                $lines[] = self::cut($line);
                $line = $indent;
            }
            $line .= ($line === $indent ? '' : ' ') . $word;
        }

        return implode("\n", [...$lines, self::cut($line)]) . "\n";
    }

    /** One line, and nothing in it that a terminal would act on. */
    public static function plain(string $text): string
    {
        return trim(preg_replace('/[\p{C}\s]+/u', ' ', mb_scrub($text)) ?? '');
    }

    private static function cut(string $line): string
    {
        return mb_strlen($line) <= self::WIDTH ? $line : mb_substr($line, 0, self::WIDTH - 1) . '…';
    }

    /**
     * What the run found beside rates: hit ratios, bytes of a value, system calls. A table a chart; empty if there is
     * nothing of the kind.
     *
     * @param string|null $test only charts of it
     */
    public function further(Document $document, ?string $test = null): string
    {
        $tables = [];
        foreach (self::chartsWithMore($document, $test) as $chart) {
            $table = self::wrap(Figures::title($chart));
            foreach (array_chunk(self::cellsWithMore($chart), self::ABREAST) as $cells) {
                $table .= self::table(
                    ['', ...array_map(static fn(Cell $cell): string => $cell->subject, $cells)],
                    self::rows($cells),
                );
            }
            $tables[] = $table;
        }

        return implode("\n", $tables);
    }

    /**
     * The same for programs.
     *
     * @return list<array{
     *     chart: string,
     *     test: string,
     *     parameters: object,
     *     subject: string,
     *     figures: array<string, float>,
     * }>
     */
    public function furtherRows(Document $document, ?string $test = null): array
    {
        $rows = [];
        foreach (self::chartsWithMore($document, $test) as $chart) {
            foreach (self::cellsWithMore($chart) as $cell) {
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

    /** @return list<Chart> */
    private static function chartsWithMore(Document $document, ?string $test): array
    {
        return array_values(array_filter(
            $document->charts,
            static fn(Chart $chart): bool => ($test === null || $chart->test === $test)
                && self::cellsWithMore($chart) !== [],
        ));
    }

    /** @return list<Cell> */
    private static function cellsWithMore(Chart $chart): array
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
