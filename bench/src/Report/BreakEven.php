<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Verdict;

/**
 * From how many files a round trip on code out of a pool beats include, or that it never does. Its figures are those of
 * the blocks; nothing is multiplied up to a number of requests.
 */
final readonly class BreakEven
{
    /** Of a cell: files that it gets at once; 0: it includes them. */
    private const FIGURE = 'files per round trip';

    /** @return list<Advice> */
    public static function advice(Document $document): array
    {
        $advice = [];
        foreach ($document->charts as $chart) {
            $batches = self::batches($document, $chart);
            $include = $batches[0] ?? null;
            unset($batches[0]);
            if ($include !== null && $batches !== []) {
                $advice[] = self::of($chart, $include, $batches);
            }
        }

        return $advice;
    }

    /** @return array<int, Cell> by files of a round trip, in their order */
    private static function batches(Document $document, Chart $chart): array
    {
        $batches = [];
        foreach (Ranking::of($document, $chart)->contenders() as $cell) {
            if (isset($cell->extra[self::FIGURE])) {
                $batches[(int) $cell->extra[self::FIGURE]] = $cell;
            }
        }
        ksort($batches);

        return $batches;
    }

    /** @param non-empty-array<int, Cell> $batches */
    private static function of(Chart $chart, Cell $include, array $batches): Advice
    {
        $faster = $open = $figures = [];
        foreach ($batches as $files => $cell) {
            $comparison = $chart->compare($cell->subject, $include->subject);
            $figures[] = \sprintf('%s: %s', Figures::exact($files), Figures::comparison($comparison));
            if ($comparison->verdict === Verdict::Faster) {
                $faster[] = $files;
            } elseif ($comparison->verdict === Verdict::CannotTell) {
                $open[] = Figures::exact($files);
            }
        }

        return new Advice(
            \sprintf('From how many files a round trip on does the pool beat include (%s)?', Figures::title($chart)),
            \sprintf(
                'Break-even batch: %s.%s Rates as a multiple of include, by files a round trip: %s.',
                match (true) {
                    $faster !== [] => Figures::exact(min($faster)),
                    $open === [] => 'none',
                    default => 'none that this run can tell',
                },
                $open === [] ? '' : ' The intervals are too wide for ' . implode(', ', $open) . '.',
                implode(', ', $figures),
            ),
            [$chart->id],
        );
    }
}
