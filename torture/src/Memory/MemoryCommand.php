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

#[AsCommand('memory', 'Kills PHP processes in the middle of their gets and sets, and counts wrong values')]
final class MemoryCommand extends Command
{
    /** All that a worker passes. */
    public const FAULTS = [
        'alive', 'allocated', 'collecting', 'drafted', 'freed', 'handed', 'leased', 'leasing', 'linked', 'locked', 'pages_given', 'pages_taken',
        'pinned', 'recovered', 'recovering', 'retired', 'scanning', 'unlinked', 'writing', 'written',
    ];

    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on, 1 to 86400', '30')
            ->addOption('workers', null, InputOption::VALUE_REQUIRED, 'Processes at once, 4 to 10; half of them share, half copy', '4')
            ->addOption('size', null, InputOption::VALUE_REQUIRED, 'Of the segment; small, so that it is always full', '8M')
            ->addOption('seed', null, InputOption::VALUE_REQUIRED, 'What the workers choose is made from it')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('faults', null, InputOption::VALUE_OPTIONAL, 'Fault points, with commas, at which workers also kill themselves (without a value: all); needs the debug build', false)
            ->addOption('no-recovery', null, InputOption::VALUE_NONE, 'Use a dead owner\'s lock as it is, to see that the check finds it; needs the debug build')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture memory --seconds=300</info>

                Workers set, get, delete, count and lease some two thousand keys in a segment that is too small for them, and one is killed
                every few milliseconds. Every value carries its key, its generation and a checksum, and every get looks at all three. The
                last line says how many were wrong and how many workers hung; the exit code is 1 if any, or if all stood still for 100 ms
                longer than an idle process, and 2 if the run was too poor to show anything.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $seconds = filter_var($input->getOption('seconds'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 86400]]);
        $workers = filter_var($input->getOption('workers'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 4, 'max_range' => 10]]);
        $seed = filter_var($input->getOption('seed') ?? random_int(1, 1_000_000), FILTER_VALIDATE_INT);
        ['size' => $size, 'extension' => $file, 'faults' => $faults, 'format' => $format] = $input->getOptions();
        if ($seconds === false || $workers === false || $seed === false || !\is_string($size) || preg_match('/^\d+[KMG]?$/D', $size) !== 1 || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture memory [--seconds=1..86400] [--workers=4..10] [--size=8M] [--seed=N] [--format=txt|json]</error>');

            return self::INVALID;
        }
        $faults = match (true) {
            \is_string($faults) => explode(',', $faults),
            $faults === null => self::FAULTS,
            default => [],
        };
        $noRecovery = $input->getOption('no-recovery') === true;
        $notes->writeln("seed $seed");
        $result = (new MemoryTorture(
            Extension::at(\is_string($file) ? $file : null, $noRecovery || $faults !== []),
            $workers,
            $size,
            $seed,
            $faults,
            $noRecovery ? ['LARDER_NO_RECOVERY' => '1'] : [],
            static fn(string $line) => $notes->writeln($line, OutputInterface::VERBOSITY_NORMAL),
        ))->run($seconds);
        Summary::write($output, $format === 'json', $result->toArray(), $result->line());
        if ($result->isClean() && !$result->shows($seconds)) {
            $notes->writeln('<error>Too few kills, reads, recoveries or evictions to show anything.</error>');

            return self::INVALID;
        }

        return $result->isClean() ? self::SUCCESS : self::FAILURE;
    }
}
