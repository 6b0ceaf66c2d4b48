<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Measure;
use Larder\Bench\Result\Verdict;

/**
 * Two subjects over all charts that have both: where the one is ahead, where the other, where neither, and where the
 * run cannot tell.
 */
final readonly class Contest
{
    /**
     * @param list<array{Chart, Comparison}> $ahead  where the first is faster, its lead first
     * @param list<array{Chart, Comparison}> $behind the same of the second: ratios of second to first
     * @param list<array{Chart, Comparison}> $equal   where they are equal
     * @param list<array{Chart, Comparison}> $unclear where the run cannot tell
     */
    private function __construct(
        public string $subject,
        public string $with,
        public array $ahead,
        public array $behind,
        public array $equal,
        public array $unclear,
    ) {}

    /** Empty if one of the two gave a wrong reply anywhere in the document: then it ranks nowhere. */
    public static function between(Document $document, string $subject, string $with): self
    {
        $ahead = $behind = $equal = $unclear = [];
        $wrong = $document->wrong();
        foreach (isset($wrong[$subject]) || isset($wrong[$with]) ? [] : $document->charts as $chart) {
            $comparison = $chart->compare($subject, $with);
            match ($comparison->verdict) {
                Verdict::Faster => $ahead[] = [$chart, $comparison],
                Verdict::Slower => $behind[] = [$chart, $chart->compare($with, $subject)],
                Verdict::Equal => $equal[] = [$chart, $comparison],
                Verdict::CannotTell => $comparison->low === null ? null : $unclear[] = [$chart, $comparison],
            };
        }

        return new self(
            $subject,
            $with,
            self::sorted($ahead),
            self::sorted($behind),
            self::sorted($equal),
            self::sorted($unclear),
        );
    }

    /** Whether a chart tells anything: an interval that is too wide is no answer, and is left out. */
    public function isAnswered(): bool
    {
        return $this->charts() > \count($this->unclear);
    }

    public function charts(): int
    {
        return \count($this->ahead) + \count($this->behind) + \count($this->equal) + \count($this->unclear);
    }

    /** @return array{Chart, Comparison}|null the clearest difference */
    public function best(): ?array
    {
        return $this->ahead[0] ?? $this->behind[0] ?? $this->equal[0] ?? $this->unclear[0] ?? null;
    }

    /** @return list<string> the charts' ids, the clearest difference first */
    public function ids(): array
    {
        return array_map(
            static fn(array $entry): string => $entry[0]->id,
            [...$this->ahead, ...$this->behind, ...$this->equal, ...$this->unclear],
        );
    }

    public function strength(): float
    {
        $best = $this->best();

        return $best === null || ($this->ahead === [] && $this->behind === []) ? 0.0 : log($best[1]->low ?? 1.0);
    }

    /** What was found, in sentences. */
    public function sentence(): string
    {
        $all = self::inAll($this->charts());

        return match ($this->charts()) {
            0 => 'No chart has both.',
            \count($this->equal) => \sprintf(
                'Equal in %s (%s times, within 5 %%): take the one that is easier to run.',
                $all,
                self::span($this->equal),
            ),
            \count($this->ahead) => \sprintf(
                '%s: %s times the rate of %s in %s%s.',
                $this->subject,
                self::span($this->ahead),
                $this->with,
                $all,
                self::where($this->ahead),
            ),
            \count($this->behind) => \sprintf(
                '%s: %s times the rate of %s in %s%s.',
                $this->with,
                self::span($this->behind),
                $this->subject,
                $all,
                self::where($this->behind),
            ),
            default => \sprintf('Of %s: %s.', Figures::count($this->charts(), 'chart'), implode('; ', array_filter([
                $this->side($this->subject, $this->ahead),
                $this->side($this->with, $this->behind),
                $this->equal === [] ? null : \sprintf('equal in %d', \count($this->equal)),
                $this->unclear === [] ? null : \sprintf('the run cannot tell in %d', \count($this->unclear)),
            ], is_string(...)))),
        };
    }

    /**
     * The CPU of the clearest difference, which tells more than a rate where both sides share the cores; null where it
     * is much the same.
     */
    public function cpu(): ?string
    {
        foreach ([[$this->subject, $this->with], [$this->with, $this->subject]] as [$dear, $cheap]) {
            $comparison = $this->best() === null ? null : $this->best()[0]->compare($dear, $cheap, Measure::Cpu);
            if ($comparison !== null && $comparison->verdict === Verdict::Slower) {
                return \sprintf(
                    '%s takes %s times the CPU of %s per operation there.',
                    $dear,
                    Figures::comparison($comparison),
                    $cheap,
                );
            }
        }

        return null;
    }

    /** @param list<array{Chart, Comparison}> $side */
    private function side(string $subject, array $side): ?string
    {
        return $side === []
            ? null
            : \sprintf('%s is ahead in %d, %s times%s', $subject, \count($side), self::span($side), self::where($side));
    }

    private static function inAll(int $count): string
    {
        return $count === 1 ? 'the one chart that has both' : \sprintf('all %d charts', $count);
    }

    /** @param list<array{Chart, Comparison}> $side */
    private static function where(array $side): string
    {
        [$chart, $comparison] = $side[0];
        $where = \sprintf('%s: %s', Figures::title($chart), Figures::bounds($comparison));

        return \sprintf(' (%s%s)', \count($side) === 1 ? '' : 'most in ', $where);
    }

    /** @param list<array{Chart, Comparison}> $side */
    private static function span(array $side): string
    {
        $ratios = array_map(static fn(array $entry): float => $entry[1]->ratio ?? 1.0, $side);
        $least = Figures::ratio($ratios === [] ? null : min($ratios));
        $most = Figures::ratio($ratios === [] ? null : max($ratios));

        return $least === $most ? $least : $least . ' to ' . $most;
    }

    /**
     * @param list<array{Chart, Comparison}> $side
     *
     * @return list<array{Chart, Comparison}>
     */
    private static function sorted(array $side): array
    {
        usort($side, static fn(array $one, array $other): int => ($other[1]->low ?? 0.0) <=> ($one[1]->low ?? 0.0));

        return $side;
    }
}
