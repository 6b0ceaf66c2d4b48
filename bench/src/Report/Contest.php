<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Measure;
use Larder\Bench\Result\Verdict;

/** Two subjects over all charts that have both: where the one is ahead, where the other, where neither, and where the run cannot tell. */
final readonly class Contest
{
    /** A difference below this share is real, perhaps, but no reason to change anything. */
    public const WORTH = 0.05;

    /**
     * @param list<array{Chart, Comparison}> $ahead  where the first is faster, its lead first
     * @param list<array{Chart, Comparison}> $behind the same of the second: ratios of second to first
     * @param list<array{Chart, Comparison}> $equal   the whole interval within 5 % of 1
     * @param list<array{Chart, Comparison}> $unclear an interval too wide to say any of these
     */
    private function __construct(
        public string $subject,
        public string $with,
        public array $ahead,
        public array $behind,
        public array $equal,
        public array $unclear,
    ) {}

    public static function between(Document $document, string $subject, string $with): self
    {
        $ahead = $behind = $equal = $unclear = [];
        foreach ($document->charts as $chart) {
            $comparison = $chart->compare($subject, $with);
            if ($comparison->verdict === Verdict::CannotTell) {
                continue;
            }
            $inverse = $chart->compare($with, $subject);
            match (true) {
                self::isWorthIt($comparison) => $ahead[] = [$chart, $comparison],
                self::isWorthIt($inverse) => $behind[] = [$chart, $inverse],
                $comparison->low >= 1.0 / (1.0 + self::WORTH) && $comparison->high <= 1.0 + self::WORTH => $equal[] = [$chart, $comparison],
                default => $unclear[] = [$chart, $comparison],
            };
        }

        return new self($subject, $with, self::sorted($ahead), self::sorted($behind), self::sorted($equal), self::sorted($unclear));
    }

    /** Whether the first is faster by so much that the whole interval lies beyond 5 %. */
    public static function isWorthIt(Comparison $comparison): bool
    {
        return $comparison->verdict === Verdict::Faster && $comparison->low > 1.0 + self::WORTH;
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
        return array_map(static fn(array $entry): string => $entry[0]->id, [...$this->ahead, ...$this->behind, ...$this->equal, ...$this->unclear]);
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
            \count($this->equal) => \sprintf('No difference worth having in %s (%s times): take whichever is easier to run.', $all, self::span($this->equal)),
            \count($this->unclear) => \sprintf('This run cannot tell: in %s the interval is too wide (%s times%s).', $all, self::span($this->unclear), self::where($this->unclear, '; as in ')),
            \count($this->ahead) => \sprintf('%s: %s times the rate of %s in %s%s.', $this->subject, self::span($this->ahead), $this->with, $all, self::where($this->ahead)),
            \count($this->behind) => \sprintf('%s: %s times the rate of %s in %s%s.', $this->with, self::span($this->behind), $this->subject, $all, self::where($this->behind)),
            default => \sprintf('Of %s: %s.', Figures::count($this->charts(), 'chart'), implode('; ', array_filter([
                $this->side($this->subject, $this->ahead),
                $this->side($this->with, $this->behind),
                $this->equal === [] ? null : \sprintf('no difference worth having in %d', \count($this->equal)),
                $this->unclear === [] ? null : \sprintf('too wide an interval to tell in %d', \count($this->unclear)),
            ], is_string(...)))),
        };
    }

    /** The CPU of the clearest difference, which tells more than a rate where both sides share the cores; null where it is much the same. */
    public function cpu(): ?string
    {
        foreach ([[$this->subject, $this->with], [$this->with, $this->subject]] as [$dear, $cheap]) {
            $comparison = $this->best() === null ? null : $this->best()[0]->compare($dear, $cheap, Measure::Cpu);
            if ($comparison !== null && $comparison->low > 1.0 + self::WORTH) {
                return \sprintf('%s takes %s times the CPU of %s per operation there.', $dear, Figures::comparison($comparison), $cheap);
            }
        }

        return null;
    }

    /** @param list<array{Chart, Comparison}> $side */
    private function side(string $subject, array $side): ?string
    {
        return $side === [] ? null : \sprintf('%s is ahead in %d, %s times%s', $subject, \count($side), self::span($side), self::where($side));
    }

    private static function inAll(int $count): string
    {
        return $count === 1 ? 'the one chart that has both' : \sprintf('all %d charts', $count);
    }

    /** @param list<array{Chart, Comparison}> $side */
    private static function where(array $side, string $within = ''): string
    {
        [$chart, $comparison] = $side[0];
        $where = \sprintf('%s: %s', Conditions::title($chart), Figures::bounds($comparison));

        return $within === '' ? \sprintf(' (%s%s)', \count($side) === 1 ? '' : 'most in ', $where) : $within . $where;
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
