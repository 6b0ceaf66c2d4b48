<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Scratch;
use RuntimeException;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('leases', 'Lets many processes want one value that ends again and again, and counts who computes it')]
final class LeasesCommand extends Command
{
    private const HOLDERS = 20;

    protected function configure(): void
    {
        $this->addOption('processes', null, InputOption::VALUE_REQUIRED, '2 to 500', '200')
            ->addOption('expiries', null, InputOption::VALUE_REQUIRED, 'How often the value ends, 1 to 1000000', '1000')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture leases --processes=200 --expiries=1000</info>

                The first time the key is new; then its value is deleted or runs out, in turn. Each time exactly one process may compute it.
                After that, holders of a lease are killed, or are too slow: another must win, and the old lease must store nothing. The exit
                code is 1 if anything else happened.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $processes = filter_var($input->getOption('processes'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 500]]);
        $expiries = filter_var($input->getOption('expiries'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 1_000_000]]);
        ['extension' => $file, 'format' => $format] = $input->getOptions();
        if ($processes === false || $expiries === false || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture leases [--processes=2..500] [--expiries=N] [--format=txt|json]</error>');

            return self::INVALID;
        }
        if (!\extension_loaded('larder')) {
            self::startAgain(Extension::at(\is_string($file) ? $file : null));
        }
        $scratch = Scratch::in(sys_get_temp_dir(), 'larder-leases');
        $leases = new Leases($scratch->path);
        $began = microtime(true);
        $computes = $leases->expire(max(2, $processes), $expiries);
        $killed = array_map($leases->killHolder(...), array_fill(0, self::HOLDERS, null));
        $slow = $leases->outliveLease();
        $result = [
            'computes' => $computes,
            'expiries' => $expiries,
            'processes' => $processes,
            'seconds' => round(microtime(true) - $began, 1),
            'killed_holders' => self::HOLDERS,
            'next_after_kill_ms' => round(max($killed), 1),
            'next_after_300_ms_lease_ms' => round($slow, 1),
            'leases_held_at_the_end' => $leases->held(),
            'findings' => $leases->wrong(),
        ];
        $scratch->remove();
        Summary::write($output, $format === 'json', $result, \sprintf('computes: %d of %d expiries, %d processes', $computes, $expiries, $processes));

        return $computes === $expiries && $result['findings'] === [] && $result['leases_held_at_the_end'] === 0 ? self::SUCCESS : self::FAILURE;
    }

    /** This process becomes one that has the extension. */
    private static function startAgain(Extension $extension): never
    {
        $command = $extension->barePhp([]);
        $arguments = \is_array($_SERVER['argv'] ?? null) ? \array_slice(array_filter($_SERVER['argv'], is_string(...)), 1) : [];
        pcntl_exec($command[0], [...\array_slice($command, 1), \Larder\Torture\TortureCommand::script(), ...$arguments]);

        throw new RuntimeException('Cannot start ' . $command[0]);
    }
}
