<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Role;

/** The chart itself: a row a subject with its bar, its whisker and its figures, sorted. */
final readonly class Bars
{
    public function __construct(private Colours $colours) {}

    public function render(Ranking $ranking): string
    {
        $scale = Scale::of($ranking);
        $rows = '';
        foreach ($ranking->measured as $cell) {
            $rows .= $this->row($ranking, $cell, $scale);
        }
        foreach ($ranking->faulty as $cell) {
            $rows .= \sprintf(
                '<tr class="fault"><th scope="row"><i class="k"></i>%s</th><td colspan="3" class="bad"><b>%s</b> '
                    . '<span>%s</span></td></tr>',
                Tag::text($cell->subject),
                Ranking::word($cell),
                Tag::text($cell->error ?? 'no window was measured'),
            );
        }
        $axis = '';
        foreach ($scale->ticks() as [$place, $value]) {
            $axis .= \sprintf('<span style="left:%s%%">%s</span>', self::percent($place), Figures::short($value));
        }

        return \sprintf(
            '<table class="bars%s" style="--step:%s%%"><thead><tr><th scope="col"><span '
                . 'class="sr">subject</span></th><th scope="col">%s</th><th scope="col">%s/s</th><th scope="col" '
                . 'title="microseconds of CPU per operation: client + server">CPU '
                . 'µs</th></tr></thead><tbody>%s</tbody><tfoot aria-hidden="true"><tr><td></td><td '
                . 'class="t"><div>%s</div></td><td></td><td></td></tr></tfoot></table>%s',
            $scale->logarithmic ? ' log' : '',
            self::percent($scale->step()),
            $scale->logarithmic ? 'logarithmic scale: read the dots, not lengths' : '<span class="sr">bar</span>',
            Tag::text($ranking->chart->unit),
            $rows,
            $axis,
            self::absent($ranking),
        );
    }

    private function row(Ranking $ranking, Cell $cell, Scale $scale): string
    {
        $rate = $cell->rate();
        $role = $ranking->role($cell);
        $isVoid = $ranking->isWrongElsewhere($cell);
        $isBound = $role === Role::Floor || $role === Role::Ceiling;
        $whisker = $rate === null || $rate->low === null || $rate->high === null
            ? ''
            : \sprintf(
                '<u style="left:%s%%;right:%s%%"></u>',
                self::percent($scale->place($rate->low)),
                self::percent(1.0 - min(1.0, $scale->place($rate->high))),
            );
        $place = $scale->place($rate->median ?? 0.0);

        return \sprintf(
            '<tr data-s="%s"%s><th scope="row">%s%s%s</th><td class="t"><div><b '
                . 'style="width:%s%%"></b>%s</div></td><td class="v%s">%s<small>%s</small></td><td '
                . 'class="p">%s<small>+ %s</small></td></tr>',
            Tag::text($cell->subject),
            $isBound || $isVoid ? ' class="bound"' : '',
            $this->colours->key($cell->subject),
            Tag::text($cell->subject),
            $isVoid
                ? ' <small class="bad">WRONG in another chart</small>'
                : ($role === Role::Contender ? '' : ' <small>' . $role->label() . '</small>'),
            self::percent(min(1.0, $place)),
            $whisker,
            $cell->errorShare() > 0.0 ? ' bad' : '',
            Figures::number($rate?->median),
            $cell->errorShare() > 0.0 ? Figures::share($cell->errorShare()) . ' errors' : Figures::spread($rate),
            Figures::number($cell->clientCpu()?->median),
            Figures::number($cell->serverCpu()?->median),
        );
    }

    private static function absent(Ranking $ranking): string
    {
        $absent = array_map(
            static fn(Cell $cell): string => \sprintf(
                '<b>%s</b> n/a: %s',
                Tag::text($cell->subject),
                Tag::text($cell->error ?? 'no reason given'),
            ),
            $ranking->absent,
        );

        return $absent === [] ? '' : '<p class="absent">' . implode('; ', $absent) . '</p>';
    }

    private static function percent(float $share): string
    {
        return rtrim(rtrim(number_format(100 * $share, 2, '.', ''), '0'), '.');
    }
}
