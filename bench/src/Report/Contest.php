<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Verdict;

/**
 * Two subjects over all charts that have both: where the one is ahead, where the other, where neither, and where the
 * run cannot tell; and the ratios themselves, by rate and by CPU.
 */
final readonly class Contest
{
    /** @var list<array{Chart, Comparison, Comparison}> the chart, the ratio of rates, the ratio of CPU per operation */
    private array $charts;

    /** @var list<array{Chart, Comparison}> where the first is faster, its lead first */
    private array $ahead;

    /** @var list<array{Chart, Comparison}> the same of the second: ratios of second to first */
    private array $behind;

    /** @var list<array{Chart, Comparison}> where they are equal */
    private array $equal;

    /** @var list<array{Chart, Comparison}> where the run cannot tell */
    private array $unclear;

    /** @param string|null $test only charts of it */
    public function __construct(
        private Document $document,
        private string $subject,
        private string $with,
        ?string $test = null,
    ) {
        $charts = $ahead = $behind = $equal = $unclear = [];
        // A subject that gave a wrong reply anywhere in the document ranks nowhere.
        $isVoid = array_intersect_key($document->wrong(), [$subject => true, $with => true]) !== [];
        foreach ($document->charts as $chart) {
            if (
                ($test !== null && $chart->test !== $test)
                || $chart->cell($subject) === null
                || $chart->cell($with) === null
            ) {
                continue;
            }
            $rate = $chart->compare($subject, $with);
            $charts[] = [$chart, $rate, $chart->compare($subject, $with, Comparison::CPU)];
            if ($isVoid || $rate->low === null) {
                continue;
            }
            match ($rate->verdict) {
                Verdict::Faster => $ahead[] = [$chart, $rate],
                Verdict::Slower => $behind[] = [$chart, $chart->compare($with, $subject)],
                Verdict::Equal => $equal[] = [$chart, $rate],
                Verdict::CannotTell => $unclear[] = [$chart, $rate],
            };
        }
        $this->charts = $charts;
        $this->ahead = self::sorted($ahead);
        $this->behind = self::sorted($behind);
        $this->equal = self::sorted($equal);
        $this->unclear = self::sorted($unclear);
    }

    /** Whether no chart has both. */
    public function isEmpty(): bool
    {
        return $this->charts === [];
    }

    public function text(): string
    {
        $rows = [];
        foreach ($this->charts as [$chart, $rate, $cpu]) {
            $rows[] = [
                $chart->id,
                Figures::ratio($rate->ratio),
                Figures::bounds($rate),
                Figures::ratio($cpu->ratio),
                Figures::bounds($cpu),
                (string) $rate->blocks,
                $rate->verdict->value,
            ];
        }

        return ConsoleReport::wrap(
            \sprintf('%s / %s: median ratio with its 95 %% interval, block by block', $this->subject, $this->with),
        )
            . (
                $rows === []
                    ? "  No chart has both.\n"
                    : ConsoleReport::table(['chart', 'rate', '', 'CPU', '', 'blocks', 'by rate'], $rows, [0, 6])
            )
            . ($this->document->isReliable() === false ? ConsoleReport::wrap(Summary::check($this->document)) : '');
    }

    /** @return array{subject: string, with: string, reliable: bool|null, charts: list<array<string, mixed>>} */
    public function toArray(): array
    {
        return [
            'subject' => $this->subject,
            'with' => $this->with,
            'reliable' => $this->document->isReliable(),
            'charts' => array_map(static fn(array $row): array => [
                'chart' => $row[0]->id,
                'test' => $row[0]->test,
                'parameters' => (object) $row[0]->parameters,
                'rate' => $row[1]->toArray(),
                'cpu' => $row[2]->toArray(),
            ], $this->charts),
        ];
    }

    /** Whether a chart tells anything: an interval that is too wide is no answer, and is left out. */
    public function isAnswered(): bool
    {
        return $this->count() > \count($this->unclear);
    }

    private function count(): int
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

    /** What was found, in sentences. */
    public function sentence(): string
    {
        $all = self::inAll($this->count());

        return match ($this->count()) {
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
            default => \sprintf('Of %s: %s.', Figures::count($this->count(), 'chart'), implode('; ', array_filter([
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
            $comparison = $this->best() === null ? null : $this->best()[0]->compare($dear, $cheap, Comparison::CPU);
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
