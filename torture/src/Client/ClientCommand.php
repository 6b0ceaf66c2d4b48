<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Process\Extension;
use Larder\Torture\Memory\Summary;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('client', 'Uses memcached through proxies that spoil, cut and hold back, and counts wrong values')]
final class ClientCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on, 2 to 86400', '30')
            ->addOption('workers', null, InputOption::VALUE_REQUIRED, 'Processes at once, 2 to 10, beside one php-fpm worker', '4')
            ->addOption('seed', null, InputOption::VALUE_REQUIRED, 'What the workers and proxies choose is made from it')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('no-opaque-check', null, InputOption::VALUE_NONE, 'Take each reply for that to the oldest request, to see that the check finds it; needs the debug build')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture client --seconds=300</info>

                Workers and a php-fpm make random calls of every method on one pool of three memcacheds. A proxy before each delays, splits,
                cuts and holds back, and repeats, drops, swaps and corrupts replies. Workers are killed, pages run out of memory and of time.
                Every value carries its key, its generation and a checksum, and every counter must lie between what was acknowledged and
                what was begun. The last line says how many were wrong and how many calls went on after their deadline; the exit code is
                1 if any, or if a process grew, and 2 if the run was too poor to show anything.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $seconds = filter_var($input->getOption('seconds'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 86400]]);
        $workers = filter_var($input->getOption('workers'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 10]]);
        $seed = filter_var($input->getOption('seed') ?? random_int(1, 1_000_000), FILTER_VALIDATE_INT);
        ['extension' => $file, 'format' => $format] = $input->getOptions();
        if ($seconds === false || $workers === false || $seed === false || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture client [--seconds=2..86400] [--workers=2..10] [--seed=N] [--format=txt|json]</error>');

            return self::INVALID;
        }
        $unchecked = $input->getOption('no-opaque-check') === true;
        $notes->writeln("seed $seed");
        $result = (new ClientTorture(
            Extension::at(\is_string($file) ? $file : null, $unchecked),
            $workers,
            $seed,
            $unchecked ? ['LARDER_NO_OPAQUE' => '1'] : [],
            static fn(string $line) => $notes->writeln($line, OutputInterface::VERBOSITY_NORMAL),
        ))->run($seconds);
        Summary::write($output, $format === 'json', $result->toArray(), $result->line());
        if ($result->isClean() && !$result->shows($seconds)) {
            $notes->writeln('<error>Too few requests, hits, kills or faults to show anything.</error>');

            return self::INVALID;
        }

        return $result->isClean() ? self::SUCCESS : self::FAILURE;
    }
}
