<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Report\ConsoleReport;
use Larder\Bench\Report\CsvReport;
use Larder\Bench\Report\HtmlReport;
use Larder\Bench\Report\MarkdownReport;
use Larder\Bench\Result\DocumentFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('report', 'Makes a report of a result file; measures nothing')]
final class ReportCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addArgument('file', InputArgument::REQUIRED, 'Result file of <info>run</info>');
        $this->addOption(
            'format',
            null,
            InputOption::VALUE_REQUIRED,
            'html, text, csv, markdown, json, figures (what was found beside rates: hit ratios, bytes of a '
                . 'value, system calls) or figures-json',
            'html',
        );
        $this->addOption('test', 't', InputOption::VALUE_REQUIRED, 'Figures of this test only');
        $this->addOption('out', 'o', InputOption::VALUE_REQUIRED, 'File to write; by default standard output');
        $this->addOption(
            'into',
            null,
            InputOption::VALUE_REQUIRED,
            'Markdown page in which the report takes the place of its last one, between its markers',
        );
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $document = DocumentFile::load(self::argument($input, 'file'));
        $test = self::option($input, 'test');
        if ($test !== null && !\in_array(self::option($input, 'format'), ['figures', 'figures-json'], true)) {
            throw new UsageError('--test goes with --format=figures and --format=figures-json only.');
        }
        $report = match (self::option($input, 'format')) {
            'html' => (new HtmlReport())->render($document),
            'text' => (new ConsoleReport())->render($document),
            'csv' => (new CsvReport())->render($document),
            'markdown' => (new MarkdownReport())->render($document),
            'json' => DocumentFile::encode($document),
            'figures' => (new ConsoleReport())->further($document, $test),
            'figures-json' => self::json((new ConsoleReport())->furtherRows($document, $test)) . "\n",
            default => throw new UsageError(
                \sprintf(
                    'There is no format "%s". There are: html, text, csv, markdown, json, figures, '
                        . 'figures-json.',
                    self::option($input, 'format'),
                ),
            ),
        };
        if ($report === '' || $report === "[]\n") {
            throw new UsageError(
                \sprintf(
                    'No chart%s of this file has figures beside rates.',
                    $test === null ? '' : ' of ' . $test,
                ),
            );
        }
        $page = self::option($input, 'into');
        if ($page !== null) {
            $text = @file_get_contents($page);
            self::save(
                $page,
                MarkdownReport::into($text === false ? throw UsageError::unreadable($page) : $text, $report),
            );

            return 0;
        }
        $out = self::option($input, 'out');
        if ($out === null) {
            $output->write($report, false, OutputInterface::OUTPUT_RAW);
        } else {
            self::save($out, $report);
        }

        return 0;
    }
}
