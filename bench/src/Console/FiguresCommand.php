<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Report\FurtherFigures;
use Larder\Bench\Result\DocumentFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('figures', 'Prints what a run found beside rates: hit ratios, bytes of a value, system calls')]
final class FiguresCommand extends BenchCommand
{
    protected function configure(): void
    {
        $this->addArgument('file', InputArgument::REQUIRED, 'Result file of <info>run</info>');
        $this->addOption('test', 't', InputOption::VALUE_REQUIRED, 'Only this test');
        $this->addFormat();
        $this->setHelp('Example: <info>larder-bench figures larder-bench.json --test=memory_hits</info>');
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $options = new Options($input);
        $test = $options->text('test');
        $figures = new FurtherFigures(DocumentFile::load(self::argument($input, 'file')), $test);
        if ($figures->isEmpty()) {
            throw new UsageError(\sprintf('No chart%s of this file has any.', $test === null ? '' : ' of ' . $test));
        }
        $this->print($output, $options, $figures->text(...), static fn(): string => self::json($figures->toArray()));

        return 0;
    }
}
