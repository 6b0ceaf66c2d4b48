<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Server\Scratch;
use Larder\Torture\Memory\Summary;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('growth', 'Changes very many names, and looks how much the store has grown')]
final class GrowthCommand extends Command
{
    /** Per cent. */
    private const MOST = 1.0;

    protected function configure(): void
    {
        $this->addOption('changes', null, InputOption::VALUE_REQUIRED, 'Over as many names, 2000 to 100000000', '1000000')
            ->addOption('stores', null, InputOption::VALUE_REQUIRED, 'With colons', 'memory:memcached:redis')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture growth --changes=1000000 --stores=memory</info>

                The exit code is 1 if a store holds more than one per cent more than after the first 1,000 changes.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        ['changes' => $changes, 'stores' => $stores, 'extension' => $file, 'format' => $format] = $input->getOptions();
        $changes = filter_var($changes, FILTER_VALIDATE_INT, ['options' => ['min_range' => 2_000, 'max_range' => 100_000_000]]);
        $stores = explode(':', \is_string($stores) ? $stores : '');
        if (!\is_int($changes) || array_diff($stores, ['memory', 'memcached', 'redis']) !== [] || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture growth [--changes=2000..100000000] [--stores=memory:memcached:redis] [--format=txt|json]</error>');

            return self::INVALID;
        }
        if (!\extension_loaded('larder')) {
            Again::start(\is_string($file) ? $file : null);
        }
        $figures = [];
        $worst = 0.0;
        foreach ($stores as $store) {
            $scratch = Scratch::in(sys_get_temp_dir(), 'larder-growth');
            $shelf = new Shelf(Setting::all()[$store . '-gated'], $scratch->path);
            try {
                $shelf->start();
                ['few' => $few, 'many' => $many] = (new Growth($shelf))->run($changes);
            } finally {
                $shelf->stop();
                $scratch->remove();
            }
            $growth = 100.0 * ($many - $few) / $few;
            $worst = max($worst, $growth);
            $figures += [$store . '_bytes_after_1000' => $few, $store . '_bytes_after_all' => $many, $store . '_growth_percent' => round($growth, 4)];
        }
        Summary::write($output, $format === 'json', $figures, \sprintf('growth: at most %.3f %% after %d changes', $worst, $changes));

        return $worst <= self::MOST ? self::SUCCESS : self::FAILURE;
    }
}
