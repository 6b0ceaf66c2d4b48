<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Verdict;

/** Who is ahead in a test, by how much, and of whom. */
final readonly class Lead
{
    /**
     * @param Chart           $chart      the one of the test with the most contenders
     * @param bool|null $local whether among the stores of one host; null where the test does not have both kinds
     * @param list<string>    $leaders    the fastest, and those that are not slower by the run's verdict
     * @param string|null     $next       the fastest of the others
     * @param Comparison|null $comparison of the fastest with it
     * @param int             $charts     of the test that have two or more contenders
     * @param int             $led        of these in which one of the leaders is fastest
     */
    private function __construct(
        public Chart $chart,
        public ?bool $local,
        public array $leaders,
        public ?string $next,
        public ?Comparison $comparison,
        public int $charts,
        public int $led,
    ) {}

    /** @return list<self> one or two a test */
    public static function in(Document $document): array
    {
        $tests = [];
        foreach ($document->charts as $chart) {
            if (!isset($chart->parameters['check'])) {
                $tests[$chart->test][] = $chart;
            }
        }
        $leads = [];
        foreach ($tests as $charts) {
            $locals = \count(
                array_unique(
                    array_map(
                        Ranking::isLocal(...),
                        array_merge(
                            ...array_map(
                                static fn(Chart $chart): array => self::field($document, $chart, null),
                                $charts,
                            ),
                        ),
                    ),
                ),
            );
            foreach ($locals < 2 ? [null] : [false, true] as $local) {
                $leads[] = self::of($document, $charts, $local);
            }
        }

        return array_values(array_filter($leads));
    }

    /**
     * Null where the run cannot tell who is ahead.
     *
     * @param list<Chart> $charts
     */
    private static function of(Document $document, array $charts, ?bool $local): ?self
    {
        $charts = array_values(
            array_filter($charts, static fn(Chart $chart): bool => \count(self::field($document, $chart, $local)) > 1),
        );
        if ($charts === []) {
            return null;
        }
        $largest = $charts[0];
        foreach ($charts as $chart) {
            $largest = \count(self::field($document, $chart, $local)) > \count(self::field($document, $largest, $local))
                ? $chart
                : $largest;
        }
        $field = self::field($document, $largest, $local);
        $leaders = [$field[0]->subject];
        $next = $comparison = null;
        $unclear = 0;
        foreach (\array_slice($field, 1) as $cell) {
            $found = $largest->compare($field[0]->subject, $cell->subject);
            $unclear += $found->verdict === Verdict::CannotTell ? 1 : 0;
            if ($found->verdict !== Verdict::Faster) {
                $leaders[] = $cell->subject;
            } elseif ($next === null) {
                [$next, $comparison] = [$cell->subject, $found];
            }
        }
        if ($next === null && $unclear > 0) {
            return null;
        }
        $led = \count(
            array_filter(
                $charts,
                static fn(Chart $chart): bool => \in_array(
                    self::field($document, $chart, $local)[0]->subject ?? '',
                    $leaders,
                    true,
                ),
            ),
        );

        return new self($largest, $local, $leaders, $next, $comparison, \count($charts), $led);
    }

    /** @return list<Cell> contenders with a number and without errors, the fastest first */
    private static function field(Document $document, Chart $chart, ?bool $local): array
    {
        return array_values(array_filter(
            Ranking::of($document, $chart)->contenders(),
            static fn(Cell $cell): bool => $cell->errorShare() === 0.0
                && ($local === null || Ranking::isLocal($cell) === $local),
        ));
    }
}
