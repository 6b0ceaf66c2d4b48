<?php

declare(strict_types=1);

namespace Larder\Bench\Console;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Report\ConsoleReport;
use Larder\Bench\Report\CsvReport;
use Larder\Bench\Report\HtmlReport;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\DocumentFile;
use Larder\Bench\Run\Environment;
use Larder\Bench\Run\Placement;
use Larder\Bench\Run\Planned;
use Larder\Bench\Run\Planner;
use Larder\Bench\Run\Profile;
use Larder\Bench\Run\Progress;
use Larder\Bench\Run\Runner;
use Larder\Bench\Run\Session;
use Larder\Bench\Run\Sites;
use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\PageSite;
use Larder\Bench\Workload\Published\PublishedRun;
use Larder\Bench\Workload\Tests;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('run', 'Measures, and writes one JSON file')]
final class RunCommand extends BenchCommand
{
    /** Share of each core that others may use while figures are taken. */
    private const BUSY = 0.3;

    protected function configure(): void
    {
        $this->addOption(
            'profile',
            null,
            InputOption::VALUE_REQUIRED,
            'quick (minutes), memory (minutes; the store in shared memory), client (minutes; the memcached client), '
                . 'cache (half an hour; the cache) or full (hours)',
            'quick',
        );
        $this->addOption(
            'clients',
            'c',
            InputOption::VALUE_REQUIRED,
            'Subjects, such as memcached:phpredis@2, or all; <info>list</info> names them',
        );
        $this->addOption('tests', 't', InputOption::VALUE_REQUIRED, 'Tests, such as keys:multiple_keys, or all');
        $this->addOption('serializers', 's', InputOption::VALUE_REQUIRED, 'Serializers, such as php:igbinary');
        $this->addOption('databases', null, InputOption::VALUE_REQUIRED, 'Databases, such as mariadb:postgresql');
        $this->addOption('workers', 'w', InputOption::VALUE_REQUIRED, 'Numbers of workers, such as 1:2:4');
        $this->addOption('out', 'o', InputOption::VALUE_REQUIRED, 'Result file', 'larder-bench.json');
        $this->addOption('html', null, InputOption::VALUE_REQUIRED, 'Also writes the report there');
        $this->addOption('csv', null, InputOption::VALUE_REQUIRED, 'Also writes the raw windows there');
        $this->addOption('window', null, InputOption::VALUE_REQUIRED, 'Seconds of a window, 0.05 to 60');
        $this->addOption(
            'blocks',
            null,
            InputOption::VALUE_REQUIRED,
            'Exactly so many windows of each cell, 6 to 1000; else a chart goes on until its intervals are narrow',
        );
        $this->addOption('max-seconds', null, InputOption::VALUE_REQUIRED, 'No window begins later than this');
        $this->addOption('seed', null, InputOption::VALUE_REQUIRED, 'Of orders, keys and values', '1');
        $this->addOption(
            'placement',
            null,
            InputOption::VALUE_REQUIRED,
            'together (client and server on one processor), apart or floating',
            'together',
        );
        $this->addOption(
            'server',
            null,
            InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY,
            'Uses a running server on this machine, as in memcached=127.0.0.1:11211; it is never flushed',
        );
        $this->addOption(
            'site',
            null,
            InputOption::VALUE_REQUIRED,
            'Directory of the site whose pages are measured; app/ of this repository if it is there',
        );
        $this->addOption('subjects', null, InputOption::VALUE_REQUIRED, 'PHP file that returns further subjects');
        $this->addOption(
            'as-published',
            null,
            InputOption::VALUE_NONE,
            'Also runs the tests as their sources published them, in their layouts',
        );
        $this->addOption(
            'force',
            null,
            InputOption::VALUE_NONE,
            'Measures though the machine is busy or a debugger is loaded',
        );
        $this->addFormat();
        $this->setHelp(<<<'END'
            Starts the servers it needs in a temporary directory and ends them afterwards. Exit code: 0, or 1 if a
            cell failed or answered wrongly, 2 if the command line is wrong, 130 after Ctrl-C (the result then holds
            what was finished).

            Examples:
              <info>larder-bench run</info>
              <info>larder-bench run --tests=keys --clients=memcached:phpredis:predis --workers=1:2:4</info>
            END);
    }

    protected function perform(InputInterface $input, OutputInterface $output): int
    {
        $profile = Profile::tryFrom(self::option($input, 'profile') ?? '')
            ?? throw new UsageError(
                \sprintf(
                    'There is no profile "%s". There are: %s.',
                    self::option($input, 'profile'),
                    implode(', ', array_column(Profile::cases(), 'value')),
                ),
            );
        $catalogue = Planner::catalogue(self::option($input, 'subjects'));
        $blocks = self::number($input, 'blocks', 6, 1000);
        $plan = (new Planner(
            $catalogue,
            Tests::standard($catalogue),
            $profile,
            self::option($input, 'clients'),
            self::option($input, 'tests'),
            self::words($input, 'serializers'),
            self::numbers($input, 'workers', 1, 256),
            $blocks === null ? null : (int) $blocks,
            self::words($input, 'databases'),
        ))->plan();
        $longest = self::number($input, 'max-seconds', 1, 86_400) ?? $profile->longest();
        $window = self::number($input, 'window', 0.05, 60) ?? $profile->window();
        $seed = (int) (self::number($input, 'seed', 0, 1 << 30) ?? 1);
        $placement = Placement::tryFrom(self::option($input, 'placement') ?? '')
            ?? throw new UsageError('--placement must be together, apart or floating.');
        self::mustBeWritable($input);
        $progress = new Progress(STDERR, $output->isQuiet());
        $named = Fleet::named(self::texts($input, 'server'));
        self::mustBeQuiet(self::flag($input, 'force'), $progress);
        $published = self::flag($input, 'as-published') ? self::published($plan) : [];
        $site = PageSite::root(self::option($input, 'site'));
        $sites = new Sites(sys_get_temp_dir(), $named, $progress->say(...), $site);
        $subjects = self::option($input, 'subjects');
        $runner = new Runner($sites, $progress, $profile, $window, $longest, $seed, $subjects, $placement);
        $session = new Session($plan, $published, $sites, $runner, $progress);
        $faults = $runner->listenDuring(function () use ($session, $profile, $input, $output): array {
            $document = $session->run($this->commandLine($input), $profile->value);
            $this->write($document, $input);
            $this->print(
                $input,
                $output,
                static fn(): string => (new ConsoleReport())->render($document),
                static fn(): string => DocumentFile::encode($document),
            );

            return $document->faults();
        });

        return $runner->exitCode() ?? ($faults === [] ? 0 : 1);
    }

    /** Before hours of measuring, and not after them. */
    private static function mustBeWritable(InputInterface $input): void
    {
        foreach (['out', 'html', 'csv'] as $option) {
            $file = self::option($input, $option);
            if ($file !== null && (is_dir($file) || !is_writable(is_file($file) ? $file : \dirname($file)))) {
                throw new UsageError(\sprintf('--%s=%s: it cannot be written there.', $option, $file));
            }
        }
    }

    private function write(Document $document, InputInterface $input): void
    {
        DocumentFile::save($document, self::option($input, 'out') ?? 'larder-bench.json');
        $html = self::option($input, 'html');
        if ($html !== null) {
            self::save($html, (new HtmlReport())->render($document));
        }
        $csv = self::option($input, 'csv');
        if ($csv !== null) {
            self::save($csv, (new CsvReport())->render($document));
        }
    }

    /**
     * @param list<Planned> $plan
     *
     * @return list<PublishedRun> of each test once
     */
    private static function published(array $plan): array
    {
        $runs = [];
        foreach ($plan as $planned) {
            foreach ($planned->test->published as $run) {
                $runs[$run->name()] = $run;
            }
        }

        return array_values($runs);
    }

    /** Waits a while for the machine to calm down, as after an installation. */
    private static function mustBeQuiet(bool $forced, Progress $progress): void
    {
        if ($forced) {
            return;
        }
        $disturbing = Environment::disturbing();
        if ($disturbing !== []) {
            throw new UsageError(
                \sprintf(
                    'PHP has %s loaded, which slows everything down unevenly. Unload it, or say --force.',
                    implode(', ', $disturbing),
                ),
            );
        }
        for ($second = 0; ($busy = Environment::busyShare(1.0)) > self::BUSY; ++$second) {
            if ($second === 0) {
                $progress->say(\sprintf('others use %.0f %% of the processors; waiting for them to end', $busy * 100));
            }
            if ($second === 60) {
                throw new UsageError(
                    \sprintf(
                        'Others use %.0f %% of the processors (at most %.0f %% allowed): figures would be theirs. End '
                            . 'them, or say --force.',
                        $busy * 100,
                        self::BUSY * 100,
                    ),
                );
            }
        }
    }

    private function commandLine(InputInterface $input): string
    {
        $words = ['larder-bench', 'run'];
        foreach ($input->getOptions() as $name => $value) {
            if (
                !$this->getDefinition()->hasOption($name)
                || $value === $this->getDefinition()->getOption($name)->getDefault()
                || \in_array($name, ['out', 'html', 'csv', 'format', 'quiet', 'ansi', 'no-interaction'], true)
            ) {
                continue;
            }
            foreach (\is_array($value) ? $value : [$value] as $one) {
                $words[] = '--' . $name . (\is_string($one) ? '=' . $one : '');
            }
        }

        return implode(' ', $words);
    }
}
