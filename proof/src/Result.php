<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Testbed\Process\Board;
use Symfony\Component\Console\Output\OutputInterface;
use UnitEnum;

/** What a run found: figures, the one line that sums them up, and whether the promise held. */
final readonly class Result
{
    /**
     * @param array<string, int|float|list<string>> $figures by name, as JSON shows them
     * @param string                                $line    the last line
     * @param bool                                  $clean   whether the promise held
     * @param bool                                  $rich    whether enough happened to show that
     * @param string                                $poor    what there was too little of otherwise
     */
    public function __construct(
        public array $figures,
        public string $line,
        public bool $clean,
        public bool $rich = true,
        public string $poor = '',
    ) {}

    /**
     * @param list<UnitEnum> $counts
     *
     * @return array<string, int> sums of a board by the cases' names, as JSON shows them
     */
    public static function sums(Board $board, array $counts): array
    {
        $names = array_map(static fn(UnitEnum $count): string => self::named($count->name), $counts);

        return array_combine($names, array_map($board->sum(...), $counts));
    }

    /**
     * @param list<array<string, int>> $counts of each trial
     * @param list<string>             $but    names that are left out
     *
     * @return array<string, int> the sums of all trials
     */
    public static function added(array $counts, array $but = []): array
    {
        $sums = [];
        foreach ($counts as $of) {
            foreach (array_diff_key($of, array_flip($but)) as $name => $count) {
                $sums[$name] = ($sums[$name] ?? 0) + $count;
            }
        }

        return $sums;
    }

    /** A name in small letters, as JSON shows it. */
    public static function named(string $name): string
    {
        return strtolower((string) preg_replace('/(?<!^)[A-Z]/', '_$0', $name));
    }

    public function count(string $figure): int
    {
        return \is_int($count = $this->figures[$figure] ?? 0) ? $count : 0;
    }

    /** @return int 0: the promise held; 1: it did not; 2: too little happened to show anything */
    public function exitCode(): int
    {
        return $this->clean ? ($this->rich ? 0 : 2) : 1;
    }

    /** As a line for each figure before the last line. */
    public function write(OutputInterface $output): void
    {
        foreach ($this->figures as $name => $figure) {
            $lines = \is_array($figure) ? $figure : \sprintf('%-27s %s', strtr($name, '_', ' '), (string) $figure);
            $output->writeln($lines, OutputInterface::OUTPUT_RAW);
        }
        $output->writeln($this->line, OutputInterface::OUTPUT_RAW);
    }

    public function writeJson(OutputInterface $output): void
    {
        $flags = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION
            | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;
        $output->writeln(json_encode($this->figures, $flags), OutputInterface::OUTPUT_RAW);
    }
}
