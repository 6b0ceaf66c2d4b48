<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Report\Html\Bars;
use Larder\Bench\Report\Html\Curves;
use Larder\Bench\Report\Html\FigureTables;
use Larder\Bench\Report\Html\GuideSection;
use Larder\Bench\Report\Html\Markup;
use Larder\Bench\Report\Html\Plots;
use Larder\Bench\Report\Html\RunSections;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** A run as one HTML file that opens anywhere, offline. All figures are computed here; its script only draws. */
final readonly class HtmlReport
{
    public function render(Document $document): string
    {
        $markup = Markup::for($document);
        $plots = new Plots($markup);
        $curves = new Curves($document, $markup, $plots);
        $ladders = [];
        foreach (Ladder::in($document) as $ladder) {
            $ladders[$ladder->charts[0]->test][] = $ladder;
        }
        $run = new RunSections();
        $body = $run->header($document) . (new GuideSection($markup))->render($document) . self::howToRead();
        $tests = self::tests($document);
        foreach ($tests as $name => $charts) {
            $body .= \sprintf(
                '<section class="test" id="%s"><h2>%s</h2><p class="work">%s.</p>',
                $markup->testId($charts[0]),
                Markup::text($charts[0]->title),
                Markup::text(ucfirst(rtrim($charts[0]->work, '.'))),
            );
            foreach ($ladders[$name] ?? [] as $ladder) {
                $body .= $curves->render($ladder);
            }
            foreach ($charts as $chart) {
                $body .= self::chart($chart, Ranking::of($document, $chart), $markup, $plots);
            }
            $body .= '</section>';
        }
        $body .= $run->appendix($document);

        return Markup::page(
            \dirname(__DIR__, 2) . '/report',
            $run->title($document) . ', ' . substr($document->started, 0, 10),
            self::contents($document, $markup, $tests),
            $body,
            $plots->json(),
        );
    }

    private static function chart(Chart $chart, Ranking $ranking, Markup $markup, Plots $plots): string
    {
        $title = $chart->parameters === [] ? $chart->title : Figures::conditions($chart);

        return \sprintf(
            '<article class="chart" id="%s"><h3>%s <a class="self" href="#%1$s" aria-label="Link to this '
                . 'chart">#</a></h3><p class="hint terms">%s</p><div class="split"><div>%s</div>%s</div><div '
                . 'class="folds">%s%s</div></article>',
            $markup->chartId($chart->id),
            Markup::text($title),
            Markup::text(
                Summary::coverage($chart) . ($chart->placement === '' ? '' : ' ' . ucfirst($chart->placement) . '.'),
            ),
            Bars::of($ranking, $markup)->render(),
            $plots->spectrum($ranking),
            (new FigureTables())->render($ranking),
            (new FigureTables())->matrix($ranking),
        );
    }

    /** @return array<string, non-empty-list<Chart>> by test */
    private static function tests(Document $document): array
    {
        $tests = [];
        foreach ($document->charts as $chart) {
            $tests[$chart->test][] = $chart;
        }

        return $tests;
    }

    /** @param array<string, non-empty-list<Chart>> $tests */
    private static function contents(Document $document, Markup $markup, array $tests): string
    {
        $faulty = array_map(static fn(array $fault): string => $fault[0]->test, $document->faults());
        $items = (
            $faulty === []
                ? ''
                : self::item('faults', 'Failed or wrong', Markup::element('b', (string) \count($faulty), 'bad'))
        )
            . self::item('guide', 'Which to take');
        foreach ($tests as $charts) {
            $items .= self::item(
                $markup->testId($charts[0]),
                $charts[0]->title,
                \in_array($charts[0]->test, $faulty, true)
                    ? '<b class="bad" title="has failed or wrong cells">!</b>'
                    : '',
            );
        }
        $last = [
            'terms' => 'On what terms',
            'environment' => 'Environment',
            ...($document->published === [] ? [] : ['published' => 'As published']),
            'again' => 'To make this again',
        ];
        foreach ($last as $anchor => $title) {
            $items .= self::item($anchor, $title);
        }

        return $items;
    }

    private static function item(string $anchor, string $title, string $mark = ''): string
    {
        return \sprintf('<li><a href="#%s">%s%s</a></li>', $anchor, Markup::text($title), $mark);
    }

    private static function howToRead(): string
    {
        return '<aside class="key" aria-label="How to read the charts"><div><span '
            . 'class="sample"><b></b><u></u></span> median, and the interval that holds the true one with 95 %</div>'
            . '<div><span class="sample bound"><b></b></span> floor or reference: not an option, but what the machine '
            . 'gives; replies of a floor are not checked</div>'
            . '<div><span class="bad">FAILED</span> an error ended it; <span class="bad">WRONG</span> a reply was not '
            . 'the reply to its request: the subject ranks nowhere</div>'
            . '<div><b>CPU µs</b> per operation, client + server: the firmer figure where both share few '
            . 'cores</div></aside>';
    }
}
