<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use App\Import\Importer;
use Larder\Torture\Demo\ExampleSite;
use Larder\Testbed\Server\Scratch;
use PDO;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('pages', 'Reads, changes and kills on a real nginx and php-fpm, and counts stale pages')]
final class TortureCommand extends Command
{
    private const WORKERS = 6;

    protected function configure(): void
    {
        $this->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'How long to go on, 1 to 86400', '30')
            ->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt')
            ->setHelp(<<<'HELP'
                Example: <info>script/torture pages --seconds=300</info>

                Three readers, two writers and a killer share twenty hot items. Each reader SELECTs the items' states, asks nginx for a page
                of theirs and SELECTs again: a page that shows less than the first SELECT saw is stale, one that shows more than the second
                saw was never committed. The last line says how many there were; the exit code is 1 if any, and 2 if the run was too poor
                to show anything.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $seconds = filter_var($input->getOption('seconds'), FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 86400]]);
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        if ($seconds === false || !\in_array($input->getOption('format'), ['txt', 'json'], true)) {
            $notes->writeln('<error>Usage: torture pages [--seconds=1..86400] [--format=txt|json]</error>');

            return self::INVALID;
        }
        $scratch = Scratch::in(sys_get_temp_dir(), 'larder-torture');
        $directory = $scratch->path;
        try {
            $result = $this->torture($directory, $seconds, $notes);
        } finally {
            $scratch->remove();
        }
        $this->report($result, $output, $input->getOption('format') === 'json');
        if (!$result->isClean()) {
            return self::FAILURE;
        }
        if (!$result->shows($seconds)) {
            $notes->writeln('<error>Too few reads, changes, kills or stores to show anything.</error>');

            return self::INVALID;
        }

        return self::SUCCESS;
    }

    private function torture(string $directory, int $seconds, OutputInterface $notes): TortureResult
    {
        $prepared = $directory . '/prepared.sqlite';
        Importer::create($prepared);
        $database = new PDO('sqlite:' . $prepared, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        HotItems::install($database);
        $database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
        unset($database);
        $site = ExampleSite::start($directory . '/site', $prepared, self::WORKERS);
        $site->running->stopOnSignals();
        try {
            return (new PagesTorture(
                $site->site,
                $site->running,
                $site->configuration->database,
                static fn(string $line) => $notes->writeln($line, OutputInterface::VERBOSITY_NORMAL),
            ))->run($seconds);
        } finally {
            $site->stop();
        }
    }

    private function report(TortureResult $result, OutputInterface $output, bool $json): void
    {
        if ($json) {
            $output->writeln(json_encode($result->toArray(), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR));

            return;
        }
        foreach ($result->toArray() as $name => $value) {
            foreach (\is_array($value) ? $value : [\sprintf('%-18s %d', strtr($name, '_', ' '), $value)] as $line) {
                $output->writeln($line);
            }
        }
        $output->writeln($result->line());
    }
}
