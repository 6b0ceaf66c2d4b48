<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Torture\Memory\Summary;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('values', 'Changes rows, kills who does, and counts cached values that are older than what was committed')]
final class ValuesCommand extends Command
{
    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on in all, 2 to 86400', '30')
            ->addOption('settings', null, InputOption::VALUE_REQUIRED, 'With colons', implode(':', array_keys(Setting::all())))
            ->addOption('seed', null, InputOption::VALUE_REQUIRED, 'What the processes choose is made from it')
            ->addOption('broken', null, InputOption::VALUE_REQUIRED, 'Take a guard away, to see that it is missed: close (gates do not close), check (nobody looks before COMMIT), order (versions are taken after the data)', '')
            ->addOption('extension', null, InputOption::VALUE_REQUIRED, 'larder.so; by default the one in build/extension')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture values --seconds=300 --settings=memcached-gated:tiers-strict</info>

                Writers change rows of a SQLite database, each of which counts its versions, and call change(); COMMIT is delayed now and
                then, and writers kill themselves between every two steps. Readers take values made from the rows by remember(), and no
                value may have a version below the last one whose COMMIT had returned before they asked. Versions are taken out of the
                store at random, the store is cleared, its server is killed and started again.

                With versions in the store (gated) writers do not die after COMMIT while items are lost: that is the one case that
                mode does not cover. Where tiers may lag by 0.2 s, an older value is stale if it is older than that and the read itself.
                The exit code is 1 if anything was stale, and 2 if the run was too poor to show anything.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        ['seconds' => $seconds, 'settings' => $settings, 'seed' => $seed, 'broken' => $broken, 'extension' => $file, 'format' => $format] = $input->getOptions();
        $seconds = filter_var($seconds, FILTER_VALIDATE_INT, ['options' => ['min_range' => 2, 'max_range' => 86400]]);
        $seed = filter_var($seed ?? random_int(1, 1_000_000), FILTER_VALIDATE_INT);
        $names = array_unique(explode(':', \is_string($settings) ? $settings : ''));
        $chosen = array_values(array_intersect_key(Setting::all(), array_flip($names)));
        $broken = Broken::tryFrom(\is_string($broken) ? $broken : '?');
        if (!\is_int($seconds) || !\is_int($seed) || $chosen === [] || \count($chosen) !== \count($names) || $broken === null || !\in_array($format, ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture values [--seconds=2..86400] [--settings=' . implode(':', array_keys(Setting::all())) . '] [--seed=N] [--broken=close|check|order] [--format=txt|json]</error>');

            return self::INVALID;
        }
        if (!\extension_loaded('larder')) {
            Again::start(\is_string($file) ? $file : null);
        }
        $notes->writeln("seed $seed");
        $result = (new ValuesTorture($chosen, $seed, $broken, static fn(string $line) => $notes->writeln($line)))->run($seconds);
        Summary::write($output, $format === 'json', $result->toArray(), $result->line());
        if ($result->isClean() && !$result->shows($seconds)) {
            $notes->writeln('<error>Too few reads, hits, changes or kills to show anything.</error>');

            return self::INVALID;
        }

        return $result->isClean() ? self::SUCCESS : self::FAILURE;
    }
}
