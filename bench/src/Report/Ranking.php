<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;
use Larder\Bench\Result\Verdict;

/**
 * The cells of a chart in the order a reader wants them: by rate, then those without a number. And who leads a test.
 *
 * A lead names the chart of the test with the most contenders; whether it is among the stores of one host (null where
 * the test does not have both kinds); the fastest and those that are not slower by the run's verdict; the fastest of
 * the others and the fastest's ratio to it; how many charts of the test have two or more contenders; and in how many of
 * these one of the leaders is fastest.
 *
 * @phpstan-type Lead array{
 *     chart: Chart,
 *     local: bool|null,
 *     leaders: non-empty-list<string>,
 *     next: string|null,
 *     comparison: Comparison|null,
 *     charts: int,
 *     led: int,
 * }
 */
final readonly class Ranking
{
    /** Stores that no second host can reach: a different purchase, so others are not measured by them. */
    private const LOCAL = ['apcu', 'shared', 'file', 'sqlite'];
    private const FAR = 4;
    private const BEYOND = 1.6;

    /**
     * @param list<Cell> $measured the fastest first
     * @param list<Cell> $faulty   failed or wrong
     * @param list<Cell> $absent
     */
    private function __construct(
        private Document $document,
        public Chart $chart,
        public array $measured,
        public array $faulty,
        public array $absent,
    ) {}

    public static function of(Document $document, Chart $chart): self
    {
        $measured = array_values(array_filter($chart->cells, static fn(Cell $cell): bool => $cell->isMeasured()));
        usort(
            $measured,
            static fn(Cell $one, Cell $other): int => ($other->rate()->median ?? 0.0) <=> ($one->rate()->median ?? 0.0),
        );
        $faulty = array_values(
            array_filter(
                $chart->cells,
                static fn(Cell $cell): bool => !$cell->isMeasured() && $cell->state !== CellState::Absent,
            ),
        );
        $absent = array_values(
            array_filter($chart->cells, static fn(Cell $cell): bool => $cell->state === CellState::Absent),
        );

        return new self($document, $chart, $measured, $faulty, $absent);
    }

    public function role(Cell $cell): Role
    {
        return $this->document->sheet($cell->subject)->role ?? Role::Contender;
    }

    /**
     * @return list<Cell> those to choose from: no floor, no ceiling, no twin, and none that gave a wrong reply in any
     *     chart
     */
    public function contenders(): array
    {
        $wrong = $this->document->wrong();

        return array_values(array_filter(
            $this->measured,
            fn(Cell $cell): bool => $this->role($cell) === Role::Contender
                && !isset($wrong[self::original($cell->subject)]),
        ));
    }

    /**
     * What the others are compared with: the fastest contender, of those that several hosts could share if there are
     * any.
     */
    public function reference(): ?Cell
    {
        foreach ($this->contenders() as $cell) {
            if (!self::isLocal($cell)) {
                return $cell;
            }
        }

        return $this->contenders()[0] ?? $this->measured[0] ?? null;
    }

    /**
     * Whether it is so far ahead, as a floor or a store of one host, that on its scale those to choose from could not
     * be told apart.
     */
    public function isOffScale(Cell $cell): bool
    {
        $reference = $this->reference();
        if ($reference === null || $cell === $reference) {
            return false;
        }
        $times = ($cell->rate()->median ?? 0.0) / max(1e-9, $reference->rate()->median ?? 0.0);

        return match ($this->role($cell)) {
            Role::Floor, Role::Ceiling => $times > self::BEYOND,
            default => self::isLocal($cell) && !self::isLocal($reference) && $times > self::FAR,
        };
    }

    public static function isLocal(Cell $cell): bool
    {
        return preg_match('/^[a-z]+/', $cell->subject, $match) === 1 && \in_array($match[0], self::LOCAL, true);
    }

    /** Whether it answered rightly here, but wrongly in another chart: its figures are shown and count nowhere. */
    public function isWrongElsewhere(Cell $cell): bool
    {
        return $cell->isMeasured() && isset($this->document->wrong()[self::original($cell->subject)]);
    }

    /** The subject without its further names: a wrong reply of `memcached#2` is one of `memcached`. */
    public static function original(string $subject): string
    {
        return explode('#', $subject)[0];
    }

    /** "FAILED: Connection reset", "WRONG: …"; null for a cell with a number. */
    public static function fault(Cell $cell): ?string
    {
        return $cell->isMeasured() || $cell->state === CellState::Absent
            ? null
            : self::word($cell) . ': ' . ($cell->error ?? 'no window was measured');
    }

    /** "FAILED", "WRONG" */
    public static function word(Cell $cell): string
    {
        return $cell->state === CellState::Wrong ? 'WRONG' : 'FAILED';
    }

    /** @return list<string> the run's flags, and errors if there were any */
    public function flags(Cell $cell): array
    {
        $flags = $cell->flags;
        if ($this->isWrongElsewhere($cell)) {
            array_unshift($flags, 'gave a wrong reply in another chart, so it ranks nowhere');
        }
        if ($cell->isMeasured() && $cell->errorShare() > 0.0) {
            array_unshift(
                $flags,
                \sprintf(
                    '%s errors%s',
                    Figures::share($cell->errorShare()),
                    $cell->error === null ? '' : ' (first: ' . $cell->error . ')',
                ),
            );
        }

        return $flags;
    }

    /**
     * Who is ahead in each test, by how much, and of whom.
     *
     * @return list<Lead> one or two a test
     */
    public static function leads(Document $document): array
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
                        self::isLocal(...),
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
                $leads[] = self::lead($document, $charts, $local);
            }
        }

        return array_values(array_filter($leads));
    }

    /**
     * @param list<Chart> $charts
     *
     * @return Lead|null null where the run cannot tell who is ahead
     */
    private static function lead(Document $document, array $charts, ?bool $local): ?array
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

        return [
            'chart' => $largest,
            'local' => $local,
            'leaders' => $leaders,
            'next' => $next,
            'comparison' => $comparison,
            'charts' => \count($charts),
            'led' => $led,
        ];
    }

    /** @return list<Cell> contenders with a number and without errors, the fastest first */
    private static function field(Document $document, Chart $chart, ?bool $local): array
    {
        return array_values(array_filter(
            self::of($document, $chart)->contenders(),
            static fn(Cell $cell): bool => $cell->errorShare() === 0.0
                && ($local === null || self::isLocal($cell) === $local),
        ));
    }
}
