<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Testbed\Process\Extension;
use Larder\Torture\Memory\Summary;
use RuntimeException;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('lease', 'Lets many processes ask a cache for values that end in every way, kills who makes them, and counts who does')]
final class LeaseCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on, 2 to 86400', '30')
            ->addOption('processes', null, InputOption::VALUE_REQUIRED, '2 to 500', '200')
            ->addOption('stores', null, InputOption::VALUE_REQUIRED, 'With colons', implode(':', Shelves::NAMES))
            ->addOption('seed', null, InputOption::VALUE_REQUIRED, 'What the processes choose is made from it')
            ->addOption('without', null, InputOption::VALUE_REQUIRED, 'Take a guard away, to see that it is missed: lease (everybody gets one) or fence (a lost one stores)', '')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture lease --seconds=300 --stores=memory:memcached:redis</info>

                All processes read a few keys of each store by Cache::remember(). Values run out, are deleted, also while they are made, and
                are taken out of the store behind the cache's back; who makes one is killed, or takes longer than its lease. Every compute
                must have one such cause, noted by the processes themselves in a file, that lies before it. A reader must never get a value
                that is older than one stored before it asked (lost), or that was deleted before it asked (resurrected), or
                wait longer than its bound. The exit code is 1 if anything else happened, and 2 if the run was too poor to show anything.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        ['seconds' => $seconds, 'processes' => $processes, 'stores' => $stores, 'seed' => $seed, 'without' => $without, 'extension' => $file, 'format' => $format] = $input->getOptions();
        $seconds = filter_var($seconds, FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 86400]]);
        $processes = filter_var($processes, FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 500]]);
        $seed = filter_var($seed ?? random_int(1, 1_000_000), FILTER_VALIDATE_INT);
        $stores = array_values(array_unique(explode(':', \is_string($stores) ? $stores : '')));
        $flaw = Flaw::tryFrom(\is_string($without) ? $without : '?');
        if (!\is_int($seconds) || !\is_int($processes) || !\is_int($seed) || array_diff($stores, Shelves::NAMES) !== [] || $flaw === null || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture lease [--seconds=2..86400] [--processes=2..500] [--stores=memory:memcached:redis] [--seed=N] [--without=lease|fence] [--format=txt|json]</error>');

            return self::INVALID;
        }
        if (!\extension_loaded('larder')) {
            self::startAgain(Extension::at(\is_string($file) ? $file : null));
        }
        $notes->writeln("seed $seed");
        $result = (new LeaseTorture($stores, max(2, $processes), $seed, $flaw, static fn(string $line) => $notes->writeln($line)))->run($seconds);
        Summary::write($output, $format === 'json', $result->toArray(), $result->line());
        if ($result->isClean() && !$result->shows($seconds)) {
            $notes->writeln('<error>Too few expiries, evictions, deletes or kills to show anything, or too many values that a store refused.</error>');

            return self::INVALID;
        }

        return $result->isClean() ? self::SUCCESS : self::FAILURE;
    }

    /** This process becomes one that has the extension. */
    private static function startAgain(Extension $extension): never
    {
        $command = $extension->php([]);
        $arguments = \is_array($_SERVER['argv'] ?? null) ? \array_slice(array_filter($_SERVER['argv'], is_string(...)), 1) : [];
        pcntl_exec($command[0], [...\array_slice($command, 1), \Larder\Torture\TortureCommand::script(), ...$arguments]);

        throw new RuntimeException('Cannot start ' . $command[0]);
    }
}
