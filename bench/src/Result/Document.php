<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

/**
 * Everything a run found, and all that a report may know of it. Its file is JSON by schema/result-2.json; DocumentFile
 * reads and writes it.
 */
final readonly class Document
{
    /** Changes with every change that an older reader would misunderstand. */
    public const SCHEMA = 'larder-bench/2';

    /**
     * @param string       $command     the command line that makes this again
     * @param string       $started     RFC 3339
     * @param float        $seconds     that it took
     * @param bool         $complete    false: it was interrupted, and holds what was finished until then
     * @param array<mixed> $environment the machine and its programs: nested maps and lists of scalars, keys made to be
     *     read
     * @param list<string> $limits      of what can be concluded from this run, each a sentence
     * @param list<Sheet>  $subjects    of all that take part, in the order of the catalogue
     * @param list<Chart>  $charts
     * @param list<Published> $published
     */
    public function __construct(
        public string $command,
        public string $profile,
        public string $started,
        public float $seconds,
        public bool $complete,
        public array $environment,
        public array $limits,
        public array $subjects,
        public array $charts,
        public array $published = [],
    ) {}

    public function sheet(string $subject): ?Sheet
    {
        foreach ($this->subjects as $sheet) {
            if ($sheet->subject === $subject) {
                return $sheet;
            }
        }

        return null;
    }

    public function chart(string $id): ?Chart
    {
        foreach ($this->charts as $chart) {
            if ($chart->id === $id) {
                return $chart;
            }
        }

        return null;
    }

    /** @return list<array{Chart, Cell}> that failed or were wrong */
    public function faults(): array
    {
        $faults = [];
        foreach ($this->charts as $chart) {
            foreach ($chart->cells as $cell) {
                if ($cell->state === CellState::Failed || $cell->state === CellState::Wrong) {
                    $faults[] = [$chart, $cell];
                }
            }
        }

        return $faults;
    }

    /**
     * @return list<array{Chart, Cell, Comparison}> every twin against the contender it doubles (`memcached#2` and
     *     `memcached`)
     */
    public function twins(): array
    {
        $twins = [];
        foreach ($this->charts as $chart) {
            foreach ($chart->cells as $cell) {
                $original = strstr($cell->subject, '#', true);
                if ($original !== false) {
                    $twins[] = [$chart, $cell, $chart->compare($cell->subject, $original)];
                }
            }
        }

        return $twins;
    }

    /**
     * Whether every A/A pair came out as it must: equal, its whole interval within 5 % of 1. An interval that is wider
     * shows nothing. Null without a pair.
     */
    public function isReliable(): ?bool
    {
        $verdicts = array_map(static fn(array $twin): Verdict => $twin[2]->verdict, $this->twins());

        return $verdicts === []
            ? null
            : array_filter($verdicts, static fn(Verdict $verdict): bool => $verdict !== Verdict::Equal) === [];
    }

    /**
     * @return array<string, Chart> the first chart in which a subject gave a wrong reply, by subject: it ranks nowhere
     */
    public function wrong(): array
    {
        $wrong = [];
        foreach ($this->charts as $chart) {
            foreach ($chart->cells as $cell) {
                if ($cell->state === CellState::Wrong) {
                    $wrong[explode('#', $cell->subject)[0]] ??= $chart;
                }
            }
        }

        return $wrong;
    }
}
