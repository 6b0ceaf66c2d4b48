<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** All tables of a run as Markdown, between markers, so that a page may have words of its own around them. */
final readonly class MarkdownReport
{
    private const BEGIN = '<!-- larder-bench: begin. Made by larder-bench report; changes in here are lost. -->';
    private const END = '<!-- larder-bench: end -->';

    public function render(Document $document): string
    {
        $text = \sprintf(
            "Measured on %s in %s, %s profile:\n\n```sh\n%s\n```\n\n",
            self::escaped(substr($document->started, 0, 10)),
            Figures::duration($document->seconds),
            self::escaped($document->profile),
            str_replace('```', '', ConsoleReport::plain($document->command)),
        );
        $text .= $this->machine($document);
        $text .= '- ' . self::escaped(Summary::completeness($document)) . "\n- "
            . self::escaped(Summary::check($document)) . "\n";
        foreach ($document->limits as $limit) {
            $text .= '- ' . self::escaped($limit) . "\n";
        }
        $text .= $this->guide($document);
        $test = null;
        foreach ($document->charts as $chart) {
            $text .= (
                $chart->test === $test
                    ? ''
                    : \sprintf(
                        "\n## %s\n\n%s\n",
                        self::escaped($chart->title),
                        self::escaped(ucfirst($chart->work) . '.'),
                    )
            )
                . $this->chart($document, $chart);
            $test = $chart->test;
        }

        return self::marked($text);
    }

    /** Text between the markers that into() looks for. */
    private static function marked(string $text): string
    {
        return self::BEGIN . "\n\n" . rtrim($text) . "\n\n" . self::END . "\n";
    }

    /** The page with what stands between its markers replaced; a page without markers gets them at its end. */
    public static function into(string $page, string $report): string
    {
        $begin = strpos($page, self::BEGIN);
        $end = strpos($page, self::END);
        if ($begin === false || $end === false || $end < $begin) {
            return ltrim(rtrim($page) . "\n\n" . $report);
        }

        return substr($page, 0, $begin) . rtrim($report) . substr($page, $end + \strlen(self::END));
    }

    private function machine(Document $document): string
    {
        $facts = array_filter([
            Summary::environment($document, 'machine.cpu'),
            ($cores = Summary::environment($document, 'machine.cores')) === null
                ? null
                : Figures::count((int) $cores, 'core'),
            Summary::environment($document, 'machine.kernel'),
            ($php = Summary::environment($document, 'php.version')) === null ? null : 'PHP ' . $php,
        ], is_string(...));

        return $facts === [] ? '' : '- ' . self::escaped(implode(', ', $facts)) . "\n";
    }

    private function guide(Document $document): string
    {
        $text = '';
        foreach ((new Findings())->advice($document) as $advice) {
            $text .= \sprintf(
                "- **%s** %s\n",
                self::escaped($advice->question),
                self::escaped($advice->answer),
            );
        }

        return $text === ''
            ? ''
            : "\n## Which to take\n\n" . implode(' ', (new Findings())->terms($document)) . "\n\n" . $text;
    }

    private function chart(Document $document, Chart $chart): string
    {
        $ranking = Ranking::of($document, $chart);
        $best = $ranking->reference();
        $rows = [];
        foreach ($ranking->measured as $cell) {
            $rows[] = $this->row($ranking, $cell, $best);
        }
        foreach ([...$ranking->faulty, ...$ranking->absent] as $cell) {
            $rows[] = [
                $cell->subject,
                ...array_fill(0, 7, ''),
                Ranking::fault($cell) ?? 'n/a: ' . ($cell->error ?? 'no reason given'),
            ];
        }
        $latency = Summary::latencyOf($chart);
        $notes = Summary::coverage($chart) . ($latency === '' ? '' : \sprintf(' Latency %s.', $latency))
            . ($chart->placement === '' ? '' : \sprintf(' Placement: %s.', $chart->placement));
        $head = [
            'subject',
            $chart->unit . '/s',
            '95 % interval',
            $best === null ? 'ratio' : '× ' . $best->subject,
            'CPU µs, client',
            'CPU µs, server',
            'p50 µs',
            'p99 µs',
            'notes',
        ];

        return \sprintf("\n### %s\n\n", self::escaped(Figures::title($chart))) . self::escaped($notes)
            . "\n\n" . self::table($head, $rows, range(1, 7));
    }

    /** @return list<string> */
    private function row(Ranking $ranking, Cell $cell, ?Cell $best): array
    {
        $role = $ranking->role($cell)->label();

        return [
            $cell->subject,
            Figures::number($cell->rate()?->median),
            Figures::range($cell->rate()),
            $cell === $best ? '1' : Figures::comparison($ranking->chart->compare($cell->subject, $best->subject ?? '')),
            Figures::number($cell->clientCpu()?->median),
            Figures::number($cell->serverCpu()?->median),
            Figures::number($cell->percentile(0.5)),
            Figures::number($cell->percentile(0.99)),
            implode('; ', [...($role === '' ? [] : [$role]), ...$ranking->flags($cell)]),
        ];
    }

    /**
     * A table whose cells cannot break out of it, whatever an error text holds.
     *
     * @param list<string>       $head
     * @param list<list<string>> $rows
     * @param list<int>          $right columns of numbers
     */
    private static function table(array $head, array $rows, array $right = []): string
    {
        $lines = [
            self::line($head),
            '|'
                . implode(
                    '|',
                    array_map(
                        static fn(int $column): string => \in_array($column, $right, true) ? ' ---: ' : ' --- ',
                        array_keys($head),
                    ),
                )
                . '|',
        ];
        foreach ($rows as $row) {
            $lines[] = self::line($row);
        }

        return implode("\n", $lines) . "\n";
    }

    /** Plain text for a place outside of tables. */
    private static function escaped(string $text): string
    {
        $line = preg_replace('/[\x00-\x1f\x7f]+/', ' ', mb_scrub($text)) ?? '';

        return str_replace(
            ['\\', '|', '<', '>', '`', '*', '_', '['],
            ['\\\\', '\\|', '&lt;', '&gt;', '\\`', '\\*', '\\_', '\\['],
            $line,
        );
    }

    /** @param list<string> $cells */
    private static function line(array $cells): string
    {
        return '| ' . implode(' | ', array_map(self::escaped(...), $cells)) . ' |';
    }
}
