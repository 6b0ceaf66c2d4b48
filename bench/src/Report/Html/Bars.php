<?php

declare(strict_types=1);

namespace Larder\Bench\Report\Html;

use Larder\Bench\Report\Figures;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Role;

/**
 * The chart itself: a row a subject with its bar, its whisker and its figures, sorted.
 *
 * From 0 in equal steps, so that lengths can be compared; where the subjects lie further apart than 12 times, from a
 * power of ten in decades, as dots.
 */
final readonly class Bars
{
    /** From this ratio of the fastest to the slowest on, the scale is logarithmic. */
    private const WIDE = 12;

    private function __construct(
        private Ranking $ranking,
        private Markup $markup,
        public bool $logarithmic,
        private float $low,
        private float $high,
    ) {}

    public static function of(Ranking $ranking, Markup $markup): self
    {
        $rates = array_map(static fn(Cell $cell): float => $cell->rate()->median ?? 0.0, $ranking->measured);
        $rates = array_values(array_filter($rates, static fn(float $rate): bool => $rate > 0.0));
        $rates = $rates === [] ? [1.0] : $rates;
        // Room for the whiskers.
        $top = max([0.0, ...array_map(static fn(Cell $cell): float => $cell->rate()->high ?? 0.0, $ranking->measured)]);

        return max($rates) / min($rates) > self::WIDE
            ? new self(
                $ranking,
                $markup,
                true,
                10 ** floor(log10(min($rates) * 0.98)),
                max($top * 1.03, max($rates) * 1.15),
            )
            : new self($ranking, $markup, false, 0.0, max(1e-9, $top * 1.03, max($rates) * 1.06));
    }

    public function render(): string
    {
        $rows = '';
        foreach ($this->ranking->measured as $cell) {
            $rows .= $this->row($cell);
        }
        foreach ($this->ranking->faulty as $cell) {
            $rows .= \sprintf(
                '<tr class="fault"><th scope="row"><i class="k"></i>%s</th><td colspan="3" class="bad"><b>%s</b> '
                    . '<span>%s</span></td></tr>',
                Markup::text($cell->subject),
                Ranking::word($cell),
                Markup::text($cell->error ?? 'no window was measured'),
            );
        }
        $axis = '';
        foreach ($this->ticks() as [$place, $value]) {
            $axis .= \sprintf('<span style="left:%s%%">%s</span>', self::percent($place), Figures::short($value));
        }

        return \sprintf(
            '<table class="bars%s" style="--step:%s%%"><thead><tr><th scope="col"><span '
                . 'class="sr">subject</span></th><th scope="col">%s</th><th scope="col">%s/s</th><th scope="col" '
                . 'title="microseconds of CPU per operation: client + server">CPU '
                . 'µs</th></tr></thead><tbody>%s</tbody><tfoot aria-hidden="true"><tr><td></td><td '
                . 'class="t"><div>%s</div></td><td></td><td></td></tr></tfoot></table>%s',
            $this->logarithmic ? ' log' : '',
            self::percent($this->step()),
            $this->logarithmic ? 'logarithmic scale: read the dots, not lengths' : '<span class="sr">bar</span>',
            Markup::text($this->ranking->chart->unit),
            $rows,
            $axis,
            $this->absent(),
        );
    }

    private function row(Cell $cell): string
    {
        $rate = $cell->rate();
        $role = $this->ranking->role($cell);
        $isVoid = $this->ranking->isWrongElsewhere($cell);
        $isBound = $role === Role::Floor || $role === Role::Ceiling;
        $whisker = $rate === null || $rate->low === null || $rate->high === null
            ? ''
            : \sprintf(
                '<u style="left:%s%%;right:%s%%"></u>',
                self::percent($this->place($rate->low)),
                self::percent(1.0 - min(1.0, $this->place($rate->high))),
            );
        $place = $this->place($rate->median ?? 0.0);

        return \sprintf(
            '<tr data-s="%s"%s><th scope="row">%s%s%s</th><td class="t"><div><b '
                . 'style="width:%s%%"></b>%s</div></td><td class="v%s">%s<small>%s</small></td><td '
                . 'class="p">%s<small>+ %s</small></td></tr>',
            Markup::text($cell->subject),
            $isBound || $isVoid ? ' class="bound"' : '',
            $this->markup->key($cell->subject),
            Markup::text($cell->subject),
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

    private function absent(): string
    {
        $absent = array_map(
            static fn(Cell $cell): string => \sprintf(
                '<b>%s</b> n/a: %s',
                Markup::text($cell->subject),
                Markup::text($cell->error ?? 'no reason given'),
            ),
            $this->ranking->absent,
        );

        return $absent === [] ? '' : '<p class="absent">' . implode('; ', $absent) . '</p>';
    }

    private static function percent(float $share): string
    {
        return rtrim(rtrim(number_format(100 * $share, 2, '.', ''), '0'), '.');
    }

    /** Where on the track a rate lies, 0 to 1. Different rates have different places. */
    public function place(float $rate): float
    {
        if (!$this->logarithmic) {
            return $rate / $this->high;
        }

        return $rate <= $this->low ? 0.0 : log($rate / $this->low) / log($this->high / $this->low);
    }

    /** Distance of the grid's lines. */
    public function step(): float
    {
        return $this->logarithmic ? log(10) / log($this->high / $this->low) : $this->tick() / $this->high;
    }

    /** @return list<array{float, float}> place and rate of what the axis is labelled with */
    public function ticks(): array
    {
        $ticks = [];
        for ($tick = 0; $tick * $this->step() <= 0.985; ++$tick) {
            $ticks[] = [$tick * $this->step(), $this->logarithmic ? $this->low * 10 ** $tick : $tick * $this->tick()];
        }

        return $ticks;
    }

    /** 1, 2 or 5 times a power of ten, so that there are three to six of it. */
    private function tick(): float
    {
        $power = 10 ** floor(log10($this->high / 3));
        foreach ([5, 2] as $times) {
            if ($times * $power * 3 <= $this->high) {
                return $times * $power;
            }
        }

        return $power;
    }
}
