<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Interval;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Sheet;

/**
 * All that the HTML report's page shows of a run, computed and written as in every report, for its script to lay out.
 *
 * @phpstan-import-type Lead from Ranking
 */
final readonly class PageContent
{
    /** Points between one nine and the next of a latency line. */
    private const STEPS = 8;
    private const NINES = 6;

    private function __construct(private Document $document) {}

    /** @return array<string, mixed> */
    public static function of(Document $document): array
    {
        $content = new self($document);
        $cores = Summary::environment($document, 'machine.cores');
        $php = Summary::environment($document, 'php.version');

        return [
            'profile' => $document->profile,
            'started' => $document->started,
            'duration' => Figures::duration($document->seconds),
            'complete' => $document->complete,
            'command' => $document->command,
            'reliable' => $document->isReliable(),
            'check' => Summary::check($document),
            'allChecked' => Summary::isAllChecked($document),
            'cells' => Summary::cells($document),
            'faults' => Summary::faultsByState($document),
            'cores' => $cores === null ? 'not told' : Figures::count((int) $cores, 'core'),
            'machine' => array_values(array_filter(
                [Summary::environment($document, 'machine.cpu'), $php === null ? null : 'PHP ' . $php],
                is_string(...),
            )),
            'limits' => $document->limits,
            'terms' => implode(' ', (new Findings())->terms($document)),
            'leads' => array_map($content->lead(...), Ranking::leads($document)),
            'advice' => array_map(static fn(Advice $advice): array => [
                'question' => $advice->question,
                'answer' => $advice->answer,
                'chart' => $advice->charts[0] ?? '',
            ], (new Findings())->advice($document)),
            'shares' => self::shares(),
            'charts' => array_map($content->chart(...), $document->charts),
            'ladders' => array_map($content->ladder(...), Ladder::in($document)),
            'subjects' => array_map(static fn(Sheet $sheet): array => [
                'subject' => $sheet->subject,
                'title' => $sheet->title,
                'role' => $sheet->role->value,
                'label' => $sheet->role->label(),
                'terms' => (object) $sheet->terms,
            ], $document->subjects),
            'environment' => (object) $document->environment,
            'published' => array_map(get_object_vars(...), $document->published),
        ];
    }

    /**
     * @param Lead $lead
     *
     * @return array<string, mixed>
     */
    private function lead(array $lead): array
    {
        return [
            ...$lead,
            'chart' => $lead['chart']->id,
            'title' => $lead['chart']->title,
            'conditions' => Figures::conditions($lead['chart']),
            'comparison' => $lead['comparison'] === null ? null : Figures::comparison($lead['comparison']),
        ];
    }

    /** @return array<string, mixed> */
    private function chart(Chart $chart): array
    {
        $ranking = Ranking::of($this->document, $chart);

        return [
            'id' => $chart->id,
            'test' => $chart->test,
            'title' => $chart->title,
            'work' => $chart->work,
            'unit' => $chart->unit,
            'conditions' => $chart->parameters === [] ? null : Figures::conditions($chart),
            'name' => Figures::title($chart),
            'coverage' => Summary::coverage($chart),
            'placement' => $chart->placement,
            'latencyOf' => Summary::latencyOf($chart),
            'reference' => $ranking->reference()?->subject,
            'measured' => array_map(fn(Cell $cell): array => $this->cell($ranking, $cell), $ranking->measured),
            'faulty' => array_map(static fn(Cell $cell): array => [
                'subject' => $cell->subject,
                'word' => Ranking::word($cell),
                'error' => $cell->error ?? 'no window was measured',
            ], $ranking->faulty),
            'absent' => array_map(static fn(Cell $cell): array => [
                'subject' => $cell->subject,
                'error' => $cell->error ?? 'no reason given',
            ], $ranking->absent),
            'ratios' => array_map(static fn(Cell $row): array => array_map(
                static fn(Cell $column): ?array => $row === $column
                    ? null
                    : self::ratio($chart->compare($row->subject, $column->subject)),
                $ranking->measured,
            ), $ranking->measured),
        ];
    }

    /** @return array<string, mixed> a cell with a number, its figures as text */
    private function cell(Ranking $ranking, Cell $cell): array
    {
        $reference = $ranking->reference();
        $rate = $cell->rate();

        return [
            'subject' => $cell->subject,
            'isWrong' => $ranking->isWrongElsewhere($cell),
            'hasErrors' => $cell->errorShare() > 0.0,
            'at' => self::interval($rate),
            'eachAt' => self::interval($cell->ratePerWorker()),
            'rate' => Figures::number($rate?->median),
            'each' => Figures::number($cell->ratePerWorker()?->median),
            'spread' => Figures::spread($rate),
            'range' => Figures::range($rate),
            'ratio' => $reference === null || $cell === $reference
                ? '1'
                : Figures::comparison($ranking->chart->compare($cell->subject, $reference->subject)),
            'client' => Figures::number($cell->clientCpu()?->median),
            'server' => Figures::number($cell->serverCpu()?->median),
            'megabytes' => Figures::number($cell->megabytes()?->median),
            'percentiles' => array_map(
                static fn(float $share): string => Figures::number($cell->percentile($share)),
                [0.5, 0.9, 0.99, 0.999],
            ),
            'errors' => Figures::share($cell->errorShare()),
            'between' => Figures::share($cell->spreadBetween()),
            'within' => Figures::share($cell->spreadWithin()),
            'extra' => (object) array_map(Figures::exact(...), $cell->extra),
            'notes' => implode('; ', $ranking->flags($cell)),
            'latency' => self::latency($cell),
        ];
    }

    /** @return array{string, string, string}|null the verdict, the ratio and its bounds; null without an interval */
    private static function ratio(Comparison $comparison): ?array
    {
        return $comparison->low === null
            ? null
            : [$comparison->verdict->value, Figures::ratio($comparison->ratio), Figures::bounds($comparison)];
    }

    /** @return array<string, mixed> */
    private function ladder(Ladder $ladder): array
    {
        $steps = $ladder->steps();

        return [
            'test' => $ladder->charts[0]->test,
            'parameter' => $ladder->parameter,
            'conditions' => $ladder->conditions(),
            'charts' => array_map(
                fn(Chart $chart): int|false => array_search($chart, $this->document->charts, true),
                $ladder->charts,
            ),
            'steps' => $steps,
            'heads' => array_map(static fn(float $step): string => Figures::condition(
                $ladder->parameter,
                floor($step) === $step ? (int) $step : $step,
            ), $steps),
            'isOfLoad' => $ladder->isOfLoad(),
            'isSeenByEach' => $ladder->isSeenByEach(),
            'subjects' => array_map(function (string $subject) use ($ladder): array {
                $breaks = $ladder->breakingPoint($subject);

                return [
                    'subject' => $subject,
                    'isShown' => $this->isShown($ladder, $subject),
                    'breaks' => $breaks === null ? 'none' : Figures::exact($breaks),
                ];
            }, $ladder->subjects()),
        ];
    }

    /** What is far above the others would press them to the ground; a press on its name brings it in. */
    private function isShown(Ladder $ladder, string $subject): bool
    {
        foreach ($ladder->charts as $chart) {
            $cell = $chart->cell($subject);
            if ($cell !== null && Ranking::of($this->document, $chart)->isOffScale($cell)) {
                return false;
            }
        }

        return $this->document->sheet($subject)?->role !== Role::Twin;
    }

    /** @return array{float|null, float|null, float|null} median, low, high */
    private static function interval(?Interval $interval): array
    {
        return array_map(self::rounded(...), [$interval?->median, $interval?->low, $interval?->high]);
    }

    /** Four digits are more than a screen has pixels for. */
    private static function rounded(?float $value): ?float
    {
        return $value === null ? null : (float) \sprintf('%.4g', $value);
    }

    /** @return list<float> 0, 0.25, … 0.9, … 0.99, … 0.999999 */
    private static function shares(): array
    {
        return array_map(
            static fn(int $step): float => round(1.0 - 10 ** (-$step / self::STEPS), 9),
            range(0, self::STEPS * self::NINES),
        );
    }

    /** @return list<float|null> microseconds by share, as far as there are ten samples beyond */
    private static function latency(Cell $cell): array
    {
        $points = [];
        foreach (self::shares() as $share) {
            $microseconds = $cell->percentile($share);
            if ($microseconds === null || $microseconds <= 0.0) {
                break;
            }
            $points[] = self::rounded($microseconds);
        }

        return $points;
    }
}
