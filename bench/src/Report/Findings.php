<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Verdict;

/**
 * "Which to take", out of one run's figures and nothing else: of two subjects, and of more than two, as of encodings,
 * batches, overload and breaking points.
 *
 * A question that the run's intervals are too wide for is counted and left out.
 */
final readonly class Findings
{
    /** Share of the offered load whose answering counts as keeping up. */
    private const KEPT_UP = 0.95;

    /** Share of its capacity that a service must go on answering when it is asked for more. */
    private const HOLDS = 0.8;
    private const GOODPUT = 'goodput % of capacity';
    private const BREAKS = 'breaking point, connections';

    /** @return list<Advice> questions that this run has figures for */
    public function advice(Document $document): array
    {
        return [
            ...array_values(
                array_filter(
                    Advice::questions($document),
                    static fn(Advice|string $question): bool => !\is_string($question),
                ),
            ),
            ...$this->batches($document),
            ...$this->sizes($document),
            ...BreakEven::advice($document),
            ...$this->openLoops($document),
            ...$this->overloads($document),
            ...$this->breakingPoints($document),
        ];
    }

    /** @return list<string> what the guide goes by, a sentence each */
    public function terms(Document $document): array
    {
        $open = \count(
            array_filter(
                Advice::questions($document),
                static fn(Advice|string $question): bool => \is_string($question),
            ),
        );

        return [
            'Ratios are taken block by block within one chart. A subject is faster or slower when the whole interval '
                . 'of the ratio lies beyond 1, and equal when the whole interval lies within 5 % of 1. A difference '
                . 'that is surely more than 2.5 % is named all the same.',
            ...(
                $open === 0
                    ? []
                    : [
                        \sprintf(
                            '%s left out, since the intervals of this run are too wide for an answer.',
                            Figures::count($open, 'question is', 'questions are'),
                        ),
                    ]
            ),
            ...array_map(
                static fn(string $subject, Chart $chart): string => \sprintf(
                    '%s gave a wrong reply (%s) and ranks nowhere.',
                    $subject,
                    Figures::title($chart),
                ),
                array_keys($document->wrong()),
                array_values($document->wrong()),
            ),
        ];
    }

    /** @return list<Advice> what more keys a call bring, the largest batch against the smallest */
    private function batches(Document $document): array
    {
        $advice = [];
        foreach (Ladder::in($document) as $ladder) {
            if ($ladder->parameter !== 'batch') {
                continue;
            }
            $steps = $ladder->steps();
            $gains = [];
            foreach (Ranking::of($document, $ladder->charts[0])->contenders() as $cell) {
                $most = $ladder->charts[\count($steps) - 1]->cell($cell->subject);
                $gain = $most === null
                    ? null
                    : Comparison::unpaired(
                        array_values(Comparison::figures($most, Comparison::RATE)),
                        array_values(Comparison::figures($cell, Comparison::RATE)),
                    );
                if ($gain !== null && $gain->verdict !== Verdict::CannotTell) {
                    $gains[] = [$gain, \sprintf('%s %s', $cell->subject, Figures::comparison($gain))];
                }
            }
            usort(
                $gains,
                static fn(array $one, array $other): int => ($other[0]->low ?? 0.0) <=> ($one[0]->low ?? 0.0),
            );
            if ($gains !== []) {
                $advice[] = new Advice(
                    \sprintf(
                        'What do batches bring (%s)?',
                        trim($ladder->charts[0]->title . ', ' . $ladder->conditions(), ', '),
                    ),
                    \sprintf(
                        '%s a second with %s at once, as a multiple of %s at once: %s.',
                        ucfirst($ladder->charts[0]->unit),
                        Figures::exact($steps[\count($steps) - 1]),
                        Figures::exact($steps[0]),
                        implode(', ', array_column($gains, 1)),
                    ),
                    array_map(static fn(Chart $chart): string => $chart->id, array_reverse($ladder->charts)),
                );
            }
        }

        return $advice;
    }

    /** @return list<Advice> the fastest and the smallest encoding, for charts whose cells tell bytes */
    private function sizes(Document $document): array
    {
        $advice = [];
        foreach ($document->charts as $chart) {
            $contenders = array_values(
                array_filter(
                    Ranking::of($document, $chart)->contenders(),
                    static fn(Cell $cell): bool => self::bytes($cell) !== null,
                ),
            );
            if (\count($contenders) < 2) {
                continue;
            }
            $smallest = $contenders[0];
            $largest = $contenders[0];
            foreach ($contenders as $cell) {
                $smallest = self::bytes($cell) < self::bytes($smallest) ? $cell : $smallest;
                $largest = self::bytes($cell) > self::bytes($largest) ? $cell : $largest;
            }
            $fastest = $contenders[0];
            $price = $chart->compare($fastest->subject, $smallest->subject);
            $answer = \sprintf(
                'Smallest: %s, %s bytes (%s of %s). ',
                $smallest->subject,
                Figures::exact(self::bytes($smallest) ?? 0.0),
                Figures::share((self::bytes($smallest) ?? 0.0) / max(1.0, self::bytes($largest) ?? 1.0)),
                $largest->subject,
            )
                . (
                    $fastest === $smallest
                        ? 'It is also the fastest.'
                        : \sprintf(
                            'Fastest: %s, %s times the rate of %s, with %s bytes.',
                            $fastest->subject,
                            Figures::comparison($price),
                            $smallest->subject,
                            Figures::exact(self::bytes($fastest) ?? 0.0),
                        )
                );
            $advice[] = new Advice(
                \sprintf('Which encoding for %s?', Figures::conditions($chart)),
                $answer,
                [$chart->id],
            );
        }

        return $advice;
    }

    private static function bytes(Cell $cell): ?float
    {
        foreach ($cell->extra as $name => $figure) {
            if (preg_match('/^(encoded |stored )?(bytes|size)\b(?!.*\bper\b)/', $name) === 1) {
                return $figure;
            }
        }

        return null;
    }

    /** @return list<Advice> */
    private function openLoops(Document $document): array
    {
        $advice = [];
        foreach ($document->charts as $chart) {
            $kept = $behind = [];
            foreach (Ranking::of($document, $chart)->contenders() as $cell) {
                $share = isset($cell->extra[self::GOODPUT]) ? null : self::answered($cell);
                if ($share !== null && $share >= self::KEPT_UP) {
                    $kept[] = $cell->subject;
                } elseif ($share !== null) {
                    $behind[] = \sprintf('%s (%s)', $cell->subject, Figures::share($share));
                }
            }
            if ($behind !== []) {
                $answer = (
                    $kept === []
                        ? ''
                        : \sprintf(
                            'Answered at least %s of what was offered: %s. ',
                            Figures::percent(self::KEPT_UP),
                            implode(', ', $kept),
                        )
                )
                    . \sprintf('Fell behind: %s.', implode(', ', $behind));
                $advice[] = new Advice(
                    \sprintf('Who keeps up in %s?', Figures::title($chart)),
                    $answer,
                    [$chart->id],
                );
            }
        }

        return $advice;
    }

    /** @return list<Advice> what is left of a service that is asked for more than it can */
    private function overloads(Document $document): array
    {
        $advice = [];
        foreach ($document->charts as $chart) {
            $told = [];
            foreach (Ranking::of($document, $chart)->measured as $cell) {
                $goodput = $cell->extra[self::GOODPUT] ?? null;
                if ($goodput !== null) {
                    $recovery = $cell->extra['recovery s'] ?? null;
                    $told[] = \sprintf(
                        '%s still answers %s of its capacity%s, %s',
                        $cell->subject,
                        Figures::share($goodput / 100),
                        $goodput / 100 >= self::HOLDS ? '' : \sprintf(' (less than %s)', Figures::percent(self::HOLDS)),
                        $recovery === null
                            ? 'and did not recover in the time given'
                            : \sprintf('and is itself again after %s s', Figures::number($recovery)),
                    );
                }
            }
            if ($told !== []) {
                $advice[] = new Advice(
                    \sprintf('What is left under overload (%s)?', Figures::title($chart)),
                    implode('; ', $told) . '.',
                    [$chart->id],
                );
            }
        }

        return $advice;
    }

    private static function answered(Cell $cell): ?float
    {
        $offered = $done = 0.0;
        foreach ($cell->windows as $window) {
            $offered += ($window->offered ?? 0.0) * $window->seconds;
            $done += $window->operations;
        }

        return $offered > 0.0 ? $done / $offered : null;
    }

    /** @return list<Advice> by the steps of a ladder, or by a test that climbs one itself */
    private function breakingPoints(Document $document): array
    {
        $advice = [];
        foreach (Ladder::in($document) as $ladder) {
            $broken = [];
            foreach ($ladder->isOfLoad() ? $ladder->subjects() : [] as $subject) {
                $point = $ladder->breakingPoint($subject);
                if ($point !== null) {
                    $broken[] = \sprintf('%s at %s', $subject, Figures::exact($point));
                }
            }
            $ids = array_map(static fn(Chart $chart): string => $chart->id, $ladder->charts);
            $advice[] = self::broken(
                $ladder->charts[0]->title,
                $ladder->parameter,
                $broken,
                \sprintf(' The others held up to %s.', Figures::exact(max([0.0, ...$ladder->steps()]))),
                $ids,
            );
        }
        foreach ($document->charts as $chart) {
            $broken = [];
            foreach (Ranking::of($document, $chart)->measured as $cell) {
                if (isset($cell->extra[self::BREAKS])) {
                    $broken[] = \sprintf('%s at %s', $cell->subject, Figures::exact($cell->extra[self::BREAKS]));
                }
            }
            $advice[] = self::broken(
                $chart->title,
                'connections',
                $broken,
                ' The others held to the last step.',
                [$chart->id],
            );
        }

        return array_values(array_filter($advice));
    }

    /**
     * @param list<string> $broken
     * @param list<string> $charts
     */
    private static function broken(
        string $title,
        string $parameter,
        array $broken,
        string $others,
        array $charts,
    ): ?Advice {
        return $broken === [] ? null : new Advice(
            \sprintf('What breaks under more %s (%s)?', $parameter, $title),
            \sprintf(
                'First step with a failure or more than %s errors: %s.%s',
                Figures::percent(Ladder::BROKEN),
                implode(', ', $broken),
                $others,
            ),
            $charts,
        );
    }
}
