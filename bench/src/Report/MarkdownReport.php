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
            MarkdownTable::text(substr($document->started, 0, 10)),
            Figures::duration($document->seconds),
            MarkdownTable::text($document->profile),
            str_replace('```', '', TextTable::plain($document->command)),
        );
        $text .= $this->machine($document);
        $text .= '- ' . MarkdownTable::text(Summary::completeness($document)) . "\n- "
            . MarkdownTable::text(Summary::check($document)) . "\n";
        foreach ($document->limits as $limit) {
            $text .= '- ' . MarkdownTable::text($limit) . "\n";
        }
        $text .= $this->guide($document);
        $test = null;
        foreach ($document->charts as $chart) {
            $text .= (
                $chart->test === $test
                    ? ''
                    : \sprintf(
                        "\n## %s\n\n%s\n",
                        MarkdownTable::text($chart->title),
                        MarkdownTable::text(ucfirst($chart->work) . '.'),
                    )
            )
                . $this->chart($document, $chart);
            $test = $chart->test;
        }

        return self::marked($text);
    }

    /** Text between the markers that into() looks for. */
    public static function marked(string $text): string
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

        return $facts === [] ? '' : '- ' . MarkdownTable::text(implode(', ', $facts)) . "\n";
    }

    private function guide(Document $document): string
    {
        $text = '';
        foreach ((new Guide())->advice($document) as $advice) {
            $text .= \sprintf(
                "- **%s** %s\n",
                MarkdownTable::text($advice->question),
                MarkdownTable::text($advice->answer),
            );
        }

        return $text === ''
            ? ''
            : "\n## Which to take\n\n" . implode(' ', (new Guide())->terms($document)) . "\n\n" . $text;
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

        return \sprintf("\n### %s\n\n", MarkdownTable::text(Figures::title($chart))) . MarkdownTable::text($notes)
            . "\n\n" . MarkdownTable::of($head, $rows, range(1, 7));
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
}
