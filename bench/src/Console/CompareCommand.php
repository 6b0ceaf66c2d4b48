<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Report\CompareReport;
use Larder\Bench\Report\Comparing;
use Larder\Bench\Result\Comparison;
use Larder\Bench\Result\DocumentFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('compare', 'Compares two runs cell by cell, and fails if one became worse')]
final class CompareCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addArgument('before', InputArgument::REQUIRED, 'Result file');
        $this->addArgument('after', InputArgument::REQUIRED, 'Result file of the same machine, later');
        $this->addOption('max-regress', null, InputOption::VALUE_REQUIRED, 'How much worse a cell may become', '5%');
        $this->addOption('measure', null, InputOption::VALUE_REQUIRED, 'rate, or cpu per operation', 'rate');
        $this->addOption(
            'reference',
            null,
            InputOption::VALUE_REQUIRED,
            'Subject that the others are measured by, in each run; else the floor, else the mean of the others',
        );
        $this->addOption('ignore-environment', null, InputOption::VALUE_NONE, 'Compares though the machines differ');
        $this->addFormat();
        $this->setHelp(<<<'END'
            Exit code: 0, or 1 if a cell became worse by more than that, 2 if the runs cannot be compared.

            Example: <info>larder-bench compare before.json after.json --max-regress=5%</info>
            END);
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $measure = self::option($input, 'measure');
        if ($measure !== Comparison::RATE && $measure !== Comparison::CPU) {
            throw new UsageError('--measure must be rate or cpu.');
        }
        $comparing = new Comparing(
            DocumentFile::load(self::argument($input, 'before')),
            DocumentFile::load(self::argument($input, 'after')),
            self::share(self::option($input, 'max-regress') ?? ''),
            $measure,
            self::option($input, 'reference'),
        );
        $differences = $comparing->differences();
        if ($differences !== [] && !self::flag($input, 'ignore-environment')) {
            throw new UsageError(
                "The two runs come from different environments, so a difference would not be the code's:\n  "
                    . implode("\n  ", $differences) . "\nSay --ignore-environment to compare them all the same.",
            );
        }
        $report = new CompareReport($comparing);
        if ($report->isEmpty()) {
            throw new UsageError('The two runs have no cell in common.');
        }
        $this->print($input, $output, $report->text(...), static fn(): string => self::json($report->toArray()));

        return $report->regressions() === [] ? 0 : 1;
    }

    private static function share(string $text): float
    {
        if (preg_match('/^(\d+(?:\.\d+)?)(%?)$/D', $text, $match) !== 1) {
            throw new UsageError(\sprintf('--max-regress must be a share such as 5%% or 0.05, not "%s".', $text));
        }
        $share = (float) $match[1] / ($match[2] === '%' ? 100 : 1);

        return $share < 1.0
            ? $share
            : throw new UsageError(\sprintf('--max-regress must be less than 100%%, not "%s".', $text));
    }
}
