<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ladder;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Report\Summary;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;

/** One test: its curves, if it has any, then its charts. */
final readonly class TestSection
{
    public function __construct(
        private Document $document,
        private Anchors $anchors,
        private Bars $bars,
        private Spectrum $spectrum,
        private Curves $curves,
    ) {}

    /**
     * @param non-empty-list<Chart> $charts
     * @param list<Ladder>          $ladders
     */
    public function render(array $charts, array $ladders): string
    {
        $first = $charts[0];
        $html = \sprintf(
            '<section class="test" id="%s"><h2>%s</h2><p class="work">%s.</p>',
            $this->anchors->test($first),
            Tag::text($first->title),
            Tag::text(ucfirst(rtrim($first->work, '.'))),
        );
        foreach ($ladders as $ladder) {
            $html .= $this->curves->render($ladder);
        }
        foreach ($charts as $chart) {
            $html .= $this->chart($chart);
        }

        return $html . '</section>';
    }

    private function chart(Chart $chart): string
    {
        $ranking = Ranking::of($this->document, $chart);
        $title = $chart->parameters === [] ? $chart->title : Figures::conditions($chart);

        return \sprintf(
            '<article class="chart" id="%s"><h3>%s <a class="self" href="#%1$s" aria-label="Link to this '
                . 'chart">#</a></h3><p class="hint terms">%s</p><div class="split"><div>%s</div>%s</div><div '
                . 'class="folds">%s%s</div></article>',
            $this->anchors->chart($chart->id),
            Tag::text($title),
            Tag::text(
                Summary::coverage($chart) . ($chart->placement === '' ? '' : ' ' . ucfirst($chart->placement) . '.'),
            ),
            $this->bars->render($ranking),
            $this->spectrum->render($ranking),
            (new FigureTable())->render($ranking),
            (new Matrix())->render($ranking),
        );
    }
}
