<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

use Larder\Dependency\Change;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\DeployedSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Torture\Demo\Crowd\Burst;
use Larder\Torture\Demo\Crowd\Expiry;
use Larder\Torture\Demo\Crowd\ExpiryTable;
use Larder\Torture\Demo\Crowd\Way;
use Larder\Torture\Pages\HotItems;
use Larder\Torture\Pages\PagesRun;
use Larder\Torture\Result;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * @phpstan-import-type Measured from PageRates
 */
#[AsCommand('demo', 'Runs the example site on nginx and php-fpm, and measures its pages and what they are made of')]
final class DemoCommand extends Command
{
    private const ITEMS = 12_000;

    /** An item with a text of ordinary length. */
    private const PAGE = '/news/4';

    protected function configure(): void
    {
        $kinds = implode(', ', DatabaseKind::names());
        $this->addOption('database', null, InputOption::VALUE_REQUIRED, "Of the site: $kinds", 'sqlite')
            ->addOption('rounds', null, InputOption::VALUE_REQUIRED, 'Alternating blocks per form', '10')
            ->addOption('seconds', null, InputOption::VALUE_REQUIRED, 'Length of a block', '3')
            ->addOption('edits', null, InputOption::VALUE_REQUIRED, 'Seconds of editing under load', '15')
            ->addOption(
                'visitors',
                null,
                InputOption::VALUE_REQUIRED,
                'How many come at once, in turn; none: this part is left out',
                implode(',', Expiry::VISITORS),
            )
            ->addOption(
                'directory',
                null,
                InputOption::VALUE_REQUIRED,
                'For the imported items and the result',
                'build/demo',
            )
            ->setHelp(<<<'HELP'
                Example: <info>ONCE=1 script/demo --rounds=3 --seconds=1 --visitors=200</info>

                Imports items from apt's package lists (kept for the next time), starts the site on a free loopback
                port, measures, edits items under load, and then lets a crowd of visitors come at the moment when the 35
                queries of their page have all expired (these are of a SQLite file in any case). It leaves the site
                running until Ctrl-C; with ONCE=1 in the environment it ends instead. Both tables are also written as
                JSON to result.json in the directory.
                HELP);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $notes = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $number = static fn(string $name): int => max(
            1,
            (int) filter_var($input->getOption($name), FILTER_VALIDATE_INT),
        );
        $option = $input->getOption('database');
        $kind = DatabaseKind::tryFrom(\is_string($option) ? $option : '');
        if ($kind === null) {
            $notes->writeln('<error>--database is ' . implode(', ', DatabaseKind::names()) . '.</error>');

            return 2;
        }
        $option = $input->getOption('directory');
        $kept = \is_string($option) ? $option : 'build/demo';
        if (!is_dir($kept)) {
            mkdir($kept, recursive: true);
        }
        $notes->writeln('Items: real texts out of apt\'s package lists');
        $bar = new ProgressBar($notes, self::ITEMS);
        $bar->setRedrawFrequency(500);
        $root = \dirname(__DIR__, 3) . '/app';
        $items = DeployedSite::database($root, (string) realpath($kept), self::ITEMS, $bar->setProgress(...));
        $scratch = new TemporaryDirectory('larder-demo', sys_get_temp_dir());
        $directory = $scratch->path;
        $database = $kind === DatabaseKind::Sqlite
            ? Database::copy($items, $directory . '/data')
            : Database::start($kind, $directory . '/data');
        if ($kind !== DatabaseKind::Sqlite) {
            DeployedSite::import($root, $database, realpath($kept) . '/apt', self::ITEMS, $bar->setProgress(...));
        }
        HotItems::install($database->connect());
        $bar->clear();
        $notes->writeln('Database: ' . $database->version());

        file_put_contents(
            $directory . '/echo.php',
            "<?php\nheader('Content-Type: text/html; charset=utf-8');\necho 'hi';\n",
        );
        $startup = ['extension' => Extension::at(null)->file];
        $site = DeployedSite::start(
            $root,
            $directory . '/site',
            $database,
            startup: $startup,
            more: static fn(int $port, string $pages, string $socket): string => PageRates::serverBlock(
                $port,
                $pages,
                $directory,
                $socket,
                $root . '/public/index.php',
            ),
        );
        $site->running->stopOnSignals();
        try {
            $progress = new ProgressBar($notes);
            $progress->setFormat(' %elapsed:6s%  %message%');
            $progress->setMessage('starting');
            $progress->start();
            $say = static function (string $message) use ($progress): void {
                $progress->setMessage($message);
                $progress->display();
            };
            $rates = (new PageRates($site->running, $directory, $site->site->pages, self::PAGE, $say))->measure(
                $number('rounds'),
                $number('seconds'),
            );
            [$edits, $dropped] = $this->edit($site, $number('edits'), $say);
            $this->removeHotItems($site->site);
            $visitors = self::visitors($input->getOption('visitors'));
            $bursts = $visitors === []
                ? []
                : (new Expiry($scratch->path, $items, $startup, $say))->measure($visitors);
            $progress->clear();
            $result = ['database' => $database->version()] + self::result($rates, $edits, $dropped)
                + ['queries' => array_map(static fn(Burst $burst): array => $burst->row(), $bursts)];
            file_put_contents(
                $kept . '/result.json',
                json_encode($result, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n",
            );
            $this->report($output, $rates, $result);
            if ($bursts !== []) {
                (new ExpiryTable($bursts))->write($output);
            }
            if (getenv('ONCE') === false || getenv('ONCE') === '') {
                $output->writeln(\sprintf("\nThe site runs at %s until you press Ctrl-C.", $site->running->url));
                while ($site->running->pids() !== []) {
                    usleep(200_000);
                }
            }
        } finally {
            $site->stop();
            $scratch->remove();
        }

        $kept = array_filter(
            $bursts,
            static fn(Burst $burst): bool => $burst->way !== Way::Plain && !$burst->isOnce(),
        ) === [];

        return $edits->clean && $rates['php_requests'] === 0 && $rates['wrong'] === 0 && $kept
            ? self::SUCCESS
            : self::FAILURE;
    }

    /** @return list<int<1, max>> */
    private static function visitors(mixed $option): array
    {
        $visitors = array_map(intval(...), explode(',', \is_string($option) ? $option : ''));

        return array_values(array_filter($visitors, static fn(int $many): bool => $many > 0));
    }

    /**
     * Readers that check what they get, and writers, for some seconds.
     *
     * @param \Closure(string): void $say
     *
     * @return array{Result, int} and the number of pages that the changes dropped
     */
    private function edit(DeployedSite $site, int $seconds, \Closure $say): array
    {
        $pages = fn(): int => Pages::of($site->site)->ledger(($site->site->connect)())->index()->count()['pages'];
        $before = $pages();
        $stores = Pages::of($site->site)->counters()->all()['larder_page_stores_total'] ?? 0;
        $run = new PagesRun(
            $site,
            static fn(string $line) => $say('edits under load: ' . $line),
            withKills: false,
        );
        $result = $run->run($seconds);

        return [$result, $before + $result->count('stores') - $stores - $pages()];
    }

    /** So that the site that stays is one to look at. */
    private function removeHotItems(Site $site): void
    {
        $database = ($site->connect)();
        Pages::of($site)->ledger($database)->transaction(static function (Change $change) use ($database): void {
            $database->exec("DELETE FROM comment WHERE author = 'Torture'");
            $database->exec("DELETE FROM news WHERE author = 'Torture'");
            $change->bulk('comment');
            $change->bulk('news');
        });
    }

    /**
     * @param Measured $rates
     *
     * @return array<string, mixed>
     */
    private static function result(array $rates, Result $edits, int $dropped): array
    {
        return [
            'hit_over_static' => round($rates['over_static']->value, 3),
            'hit_over_static_interval' => [round($rates['over_static']->low, 3), round($rates['over_static']->high, 3)],
            'hit_over_uncached' => round($rates['over_uncached']->value, 2),
            'hit_over_uncached_interval' => [
                round($rates['over_uncached']->low, 2),
                round($rates['over_uncached']->high, 2),
            ],
            'php_requests_during_hits' => $rates['php_requests'],
            'bodies_checked_during_hits' => $rates['checked'],
            'bodies_wrong_during_hits' => $rates['wrong'],
            'page_bytes' => $rates['bytes'],
            'forms' => $rates['rows'],
            'changes' => $edits->count('changes'),
            'pages_dropped' => $dropped,
            'gets_checked' => $edits->count('reads'),
            'stale' => $edits->count('stale'),
            'wrong' => $edits->count('wrong'),
        ];
    }

    /**
     * @param Measured             $rates
     * @param array<string, mixed> $result
     */
    private function report(OutputInterface $output, array $rates, array $result): void
    {
        $output->writeln(
            \sprintf(
                "\nOne page of %d bytes, wrk with 50 connections on the same machine; medians.\n",
                $rates['bytes'],
            ),
        );
        $table = new Table($output);
        $table->setHeaders(['', 'requests/s', 'p50 ms', 'p99 ms', 'max ms']);
        foreach ($rates['rows'] as $form => $row) {
            $table->addRow([
                $form,
                number_format($row['rate']),
                ...array_map(
                    static fn(int $microseconds): string => \sprintf('%.2f', $microseconds / 1000),
                    [$row['p50'], $row['p99'], $row['max']],
                ),
            ]);
        }
        $table->render();
        $output->writeln(
            \sprintf(
                'page hit / static file   %.3f  (95 %% interval %.3f to %.3f)',
                $rates['over_static']->value,
                $rates['over_static']->low,
                $rates['over_static']->high,
            ),
        );
        $output->writeln(
            \sprintf(
                'page hit / uncached site %.1f  (95 %% interval %.1f to %.1f)',
                $rates['over_uncached']->value,
                $rates['over_uncached']->low,
                $rates['over_uncached']->high,
            ),
        );
        $output->writeln(
            \sprintf(
                'PHP requests during hits %d; bodies checked beside wrk %d, wrong %d',
                $rates['php_requests'],
                $rates['checked'],
                $rates['wrong'],
            ),
        );
        $count = static fn(string $name): int => \is_int($result[$name] ?? null) ? $result[$name] : 0;
        $output->writeln(
            \sprintf(
                'edits under load: %d changes, %d pages dropped, %d GETs checked, %d stale',
                $count('changes'),
                $count('pages_dropped'),
                $count('gets_checked'),
                $count('stale'),
            ),
        );
    }
}
