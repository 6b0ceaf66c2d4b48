<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** The cells of a chart in the order a reader wants them: by rate, then those without a number. */
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
}
