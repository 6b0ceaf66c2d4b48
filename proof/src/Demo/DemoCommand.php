<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Page\Pages;
use Larder\Proof\Demo\Crowd\Burst;
use Larder\Proof\Demo\Crowd\Expiry;
use Larder\Proof\Demo\Crowd\ExpiryTable;
use Larder\Proof\Demo\Crowd\Way;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\PagesRun;
use Larder\Proof\Result;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\DeployedSite;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\TemporaryDirectory;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

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
            ->addOption(
                'hosts',
                null,
                InputOption::VALUE_REQUIRED,
                'Web servers of the site; several, up to 4, need mariadb or postgresql',
                '1',
            )
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

                Example: <info>script/demo --hosts=2 --database=mariadb</info>

                Two hosts, each with an nginx and a php-fpm, have one database, and two memcached servers for the pages.
                It edits an item on one host and shows the page on the other, then edits on one under load and checks
                the pages of both; nothing else is measured. It says where to look, and leaves the site running too.
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
        $hosts = filter_var($input->getOption('hosts'), FILTER_VALIDATE_INT);
        if ($hosts === false || $hosts < 1 || $hosts > 4 || ($hosts > 1 && $kind === DatabaseKind::Sqlite)) {
            $notes->writeln('<error>--hosts is 1 to 4; several need --database=mariadb or postgresql.</error>');

            return 2;
        }
        $option = $input->getOption('directory');
        $kept = \is_string($option) ? $option : 'build/demo';
        if (!is_dir($kept)) {
            mkdir($kept, recursive: true);
        }
        if ($hosts > 1) {
            return $this->several($hosts, $kind, (string) realpath($kept), $number('edits'), $output, $notes);
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
            environment: ['APP_NOTES' => 'off'],
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
            [$progress, $say] = self::progress($notes);
            $rates = (new PageRates($site->running, $directory, $site->site->pages, self::PAGE, $say))->measure(
                $number('rounds'),
                $number('seconds'),
            );
            [$edits, $dropped] = $this->edit($site, $number('edits'), $say);
            HotItems::remove(($site->site->connect)());
            $visitors = self::visitors($input->getOption('visitors'));
            $bursts = $visitors === []
                ? []
                : (new Expiry($scratch->path, $items, $startup, $say))->measure($visitors);
            $progress->clear();
            $result = ['database' => $database->version()] + DemoReport::figures($rates, $edits, $dropped)
                + ['queries' => array_map(static fn(Burst $burst): array => $burst->row(), $bursts)];
            file_put_contents(
                $kept . '/result.json',
                json_encode($result, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n",
            );
            DemoReport::write($output, $rates, $result);
            if ($bursts !== []) {
                (new ExpiryTable($bursts))->write($output);
            }
            if (self::isWatched()) {
                $site->running->stop();
                self::stay($root, $directory, $database, $startup, $output);
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

    /**
     * Runs the site once more, so that what it shows of itself is in no measurement, until no server runs any more.
     *
     * @param array<string, string> $startup php.ini values of php-fpm's master
     */
    private static function stay(
        string $root,
        string $directory,
        Database $database,
        array $startup,
        OutputInterface $output,
    ): void {
        $dashboard = Ports::free();
        $site = DeployedSite::start(
            $root,
            $directory . '/shown',
            $database,
            environment: ['APP_NOTES' => 'on'],
            startup: $startup,
            more: static fn(int $port, string $pages, string $socket): string
                => DashboardBlock::of($dashboard, $socket, $root . '/public/dashboard.php'),
        );
        $site->running->stopOnSignals();
        $output->writeln(\sprintf(
            "\nThe site runs at %s until you press Ctrl-C; %s",
            $site->running->url,
            DashboardBlock::told($dashboard),
        ));
        while ($site->running->pids() !== []) {
            usleep(200_000);
        }
    }

    /** @param int<2, max> $hosts */
    private function several(
        int $hosts,
        DatabaseKind $kind,
        string $kept,
        int $seconds,
        OutputInterface $output,
        OutputInterface $notes,
    ): int {
        $root = \dirname(__DIR__, 3) . '/app';
        $scratch = new TemporaryDirectory('larder-demo', sys_get_temp_dir());
        $database = Database::start($kind, $scratch->path . '/data');
        $bar = new ProgressBar($notes, self::ITEMS);
        $bar->setRedrawFrequency(500);
        DeployedSite::import($root, $database, $kept . '/apt', self::ITEMS, $bar->setProgress(...));
        $bar->clear();
        $notes->writeln('Database: ' . $database->version());
        $demo = new HostsDemo(
            $root,
            $scratch->path,
            $database,
            $hosts,
            ['APP_NOTES' => self::isWatched() ? 'on' : 'off'],
            ['extension' => Extension::at(null)->file],
        );
        Signals::stop($demo->stop(...));
        try {
            [$progress, $say] = self::progress($notes);
            $result = ['database' => $database->version()] + $demo->run($seconds, $say, $output);
            $progress->clear();
            file_put_contents(
                $kept . '/result.json',
                json_encode($result, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n",
            );
            if (self::isWatched()) {
                $demo->stay($output);
            }
        } finally {
            $demo->stop();
            $scratch->remove();
        }

        return $result['clean'] === true ? self::SUCCESS : self::FAILURE;
    }

    private static function isWatched(): bool
    {
        return \in_array(getenv('ONCE'), [false, ''], true);
    }

    /** @return array{ProgressBar, \Closure(string): void} */
    private static function progress(OutputInterface $notes): array
    {
        $progress = new ProgressBar($notes);
        $progress->setFormat(' %elapsed:6s%  %message%');
        $progress->setMessage('starting');
        $progress->start();

        return [$progress, static function (string $message) use ($progress): void {
            $progress->setMessage($message);
            $progress->display();
        }];
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
        $stores = Pages::of($site->site)->counters()->all()['larder_page_requests_total{result="stored"}'] ?? 0;
        $run = new PagesRun(
            [$site],
            static fn(string $line) => $say('edits under load: ' . $line),
            withKills: false,
        );
        $result = $run->run($seconds);

        return [$result, $before + $result->count('stores') - (int) $stores - $pages()];
    }
}
