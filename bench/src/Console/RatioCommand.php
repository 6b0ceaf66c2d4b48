<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Report\Contest;
use Larder\Bench\Result\DocumentFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('ratio', 'Tells how many times as fast one subject is as another, with the interval')]
final class RatioCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addArgument('file', InputArgument::REQUIRED, 'Result file of <info>run</info>');
        $this->addArgument('subject', InputArgument::REQUIRED, 'Subject, such as phpredis');
        $this->addArgument('with', InputArgument::REQUIRED, 'The one it is held against, such as predis');
        $this->addOption('test', 't', InputOption::VALUE_REQUIRED, 'Only this test');
        $this->addFormat();
        $this->setHelp('Example: <info>larder-bench ratio larder-bench.json phpredis predis --test=keys</info>');
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $document = DocumentFile::load(self::argument($input, 'file'));
        $report = new Contest(
            $document,
            self::argument($input, 'subject'),
            self::argument($input, 'with'),
            self::option($input, 'test'),
        );
        if ($report->isEmpty()) {
            $known = array_map(
                static fn(\Larder\Bench\Result\Sheet $sheet): string => $sheet->subject,
                $document->subjects,
            );
            $test = self::option($input, 'test');
            throw new UsageError(
                \sprintf(
                    'No chart%s of this file has both. It has the subjects %s.',
                    $test === null ? '' : ' of ' . $test,
                    implode(', ', $known),
                ),
            );
        }
        $this->print($input, $output, $report->text(...), static fn(): string => self::json($report->toArray()));

        return 0;
    }
}
