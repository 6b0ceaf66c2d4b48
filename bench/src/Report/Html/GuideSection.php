<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Findings;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Document;

/** "Which to take", and what has no number. */
final readonly class GuideSection
{
    public function __construct(private Markup $markup) {}

    public function render(Document $document): string
    {
        $leads = $this->leads($document);
        $answers = '';
        foreach ((new Findings())->advice($document) as $advice) {
            $answers .= \sprintf(
                '<div><h3>%s</h3><p>%s <a href="#%s">%s</a></p></div>',
                Markup::text($advice->question),
                Markup::text($advice->answer),
                $this->markup->chartId($advice->charts[0] ?? ''),
                'chart',
            );
        }
        $warning = $document->isReliable() === false
            ? '<p class="bad">The A/A check failed: this run is too noisy to decide by.</p>'
            : '';

        return $this->faults($document)
            . (
                $leads === '' && $answers === ''
                    ? ''
                    : '<section id="guide"><h2>Which to take</h2>' . $warning . '<p class="hint">'
                        . Markup::text(implode(' ', (new Findings())->terms($document))) . '</p>' . $leads
                        . '<div class="answers">' . $answers . '</div></section>'
            );
    }

    private function leads(Document $document): string
    {
        $rows = [];
        foreach (Ranking::leads($document) as $lead) {
            $where = match ($lead['local']) {
                null => '',
                true => '; of the stores of one host',
                false => '; of those that hosts can share',
            };
            $ahead = $lead['next'] === null || $lead['comparison'] === null
                ? 'all equal'
                : \sprintf('%s times %s', Figures::comparison($lead['comparison']), $lead['next']);
            $rows[] = \sprintf(
                '<tr><th scope="row"><a href="#%s">%s</a><small>%s%s</small></th><td class="words" '
                    . 'data-h="fastest"><b>%s</b></td><td class="words" data-h="ahead of the next">%s</td><td '
                    . 'data-h="leads in charts">%d of %d</td></tr>',
                $this->markup->chartId($lead['chart']->id),
                Markup::text($lead['chart']->title),
                Markup::text(Figures::conditions($lead['chart'])),
                $where,
                Markup::text(implode(', ', $lead['leaders'])),
                Markup::text($ahead),
                $lead['led'],
                $lead['charts'],
            );
        }

        return $rows === []
            ? ''
            : Markup::table(
                'Fastest in each test',
                ['test', 'fastest (ties)', 'ahead of the next', 'leads in charts'],
                $rows,
                'leads',
            );
    }

    private function faults(Document $document): string
    {
        $items = '';
        foreach ($document->faults() as [$chart, $cell]) {
            $items .= \sprintf(
                '<li><b>%s</b> <a href="#%s">%s</a>, %s: <span>%s</span></li>',
                Ranking::word($cell),
                $this->markup->chartId($chart->id),
                Markup::text($cell->subject),
                Markup::text(Figures::title($chart)),
                Markup::text($cell->error ?? 'no window was measured'),
            );
        }

        return $items === ''
            ? ''
            : '<section id="faults" class="faults"><h2>Failed or wrong</h2><ul>' . $items . '</ul></section>';
    }
}
