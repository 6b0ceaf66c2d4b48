<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Extension;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('soak', 'Keeps php-fpm busy on a full segment, and looks whether its workers grow')]
final class SoakCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on, 5 to 86400', '30')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture soak --seconds=300</info>

                Four clients ask a php-fpm of four workers to set, get and delete; each answer must be whole and each value the one that was
                acknowledged last, or gone. The exit code is 1 if anything was not, if a worker died, if one had grown by more than 2 MB since
                the first fifth of the time, or if a command-line PHP does not see the same segment; and 2 if the run was too poor to show it.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $seconds = filter_var($input->getOption('seconds'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 5, 'max_range' => 86400]]);
        ['extension' => $file, 'format' => $format] = $input->getOptions();
        if ($seconds === false || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture soak [--seconds=5..86400] [--format=txt|json]</error>');

            return self::INVALID;
        }
        $soak = new Soak(Extension::at(\is_string($file) ? $file : null), static fn(string $line) => $notes->writeln($line, OutputInterface::VERBOSITY_NORMAL));
        $result = $soak->run($seconds);
        Summary::write($output, $format === 'json', $result->toArray(), $result->line());
        if ($result->isClean() && !$result->shows($seconds)) {
            $notes->writeln('<error>Too few requests, or the segment was never full.</error>');

            return self::INVALID;
        }

        return $result->isClean() ? self::SUCCESS : self::FAILURE;
    }
}
