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
    public function render(Document $document): string
    {
        $text = \sprintf(
            "larder-bench, %s profile, %s, %s\n",
            TextTable::plain($document->profile),
            TextTable::plain($document->started),
            Figures::duration($document->seconds),
        );
        $text .= TextTable::wrap(Summary::completeness($document)) . TextTable::wrap(Summary::check($document));
        foreach ($document->limits as $limit) {
            $text .= TextTable::wrap('- ' . $limit);
        }
        foreach ($document->charts as $chart) {
            $text .= "\n" . $this->chart($document, $chart);
        }
        $advices = (new Guide())->advice($document);
        $text .= $advices === [] && $document->wrong() === []
            ? ''
            : "\nWhich to take\n" . TextTable::wrap(implode(' ', (new Guide())->terms($document)), '  ');
        foreach ($advices as $advice) {
            $text .= TextTable::wrap($advice->question, '  ') . TextTable::wrap($advice->answer, '    ');
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
            $notes .= TextTable::wrap(\sprintf('! %s: %s', implode(', ', $subjects), $flag), '  ');
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
        $notes = TextTable::wrap(
            Summary::coverage($chart) . ($latency === '' ? '' : \sprintf(' Latency %s.', $latency))
                . ($chart->placement === '' ? '' : \sprintf(' Placement: %s.', $chart->placement)),
            '  ',
        )
            . $notes;

        return TextTable::wrap(Figures::title($chart)) . TextTable::wrap($chart->work, '  ')
            . TextTable::of($head, $rows) . $notes;
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
}
