<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Larder\Page\Pages;
use Larder\Proof\Demo\Crowd\Burst;
use Larder\Proof\Demo\Crowd\Expiry;
use Larder\Proof\Demo\Crowd\ExpiryTable;
use Larder\Proof\Demo\Crowd\Way;
use Larder\Proof\Option;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\PagesRun;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Process\Signals;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Site\DeployedSite;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('demo', 'Runs the example site on nginx and php-fpm, and measures its pages and what they are made of')]
final class DemoCommand extends Command
{
    private const ITEMS = 12_000;

    /** An item with a text of ordinary length. */
    private const PAGE = '/news/4';

    /** @return list<Option> */
    private static function options(): array
    {
        return [
            Option::database(),
            Option::number('hosts', 'Web servers of the site; several need mariadb or postgresql', 1, 4, 1),
            Option::number('rounds', 'Alternating blocks per form', 1, 10_000, 10),
            Option::number('seconds', 'Length of a block', 1, 86_400, 3),
            Option::number('edits', 'Seconds of editing under load', 1, 86_400, 15),
            Option::text(
                'visitors',
                'How many come at once, in turn; none: this part is left out',
                '/^/',
                implode(',', Expiry::VISITORS),
                'N,N',
            ),
            Option::text('directory', 'For the imported items and the result', '/./', 'build/demo', 'DIRECTORY'),
        ];
    }

    protected function configure(): void
    {
        foreach (self::options() as $option) {
            $this->getDefinition()->addOption($option->definition());
        }
        $this
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
        $values = Option::values(self::options(), 'demo', $input, $notes);
        $run = new Run($values ?? [], $notes->writeln(...));
        if ($values === null) {
            return self::INVALID;
        }
        $kind = DatabaseKind::from($run->text('database'));
        $hosts = $run->number('hosts');
        if ($hosts > 1 && $kind === DatabaseKind::Sqlite) {
            $notes->writeln('<error>--hosts: several need --database=mariadb or --database=postgresql.</error>');

            return self::INVALID;
        }
        return Signals::stopDuring($run->end(...), function () use ($run, $kind, $hosts, $output, $notes): int {
            try {
                return $hosts > 1
                    ? $this->several($run, $kind, $output, $notes)
                    : $this->one($run, $kind, $output, $notes);
            } finally {
                $run->end();
            }
        });
    }

    private function one(Run $run, DatabaseKind $kind, OutputInterface $output, OutputInterface $notes): int
    {
        $notes->writeln('Items: real texts out of apt\'s package lists');
        $bar = new ProgressBar($notes, self::ITEMS);
        $bar->setRedrawFrequency(500);
        [$root, $kept] = [self::root(), self::kept($run)];
        $items = DeployedSite::database($root, $kept, self::ITEMS, $bar->setProgress(...));
        $directory = $run->directory(onDisk: true);
        $database = $kind === DatabaseKind::Sqlite
            ? Database::copy($items, $directory . '/data')
            : Database::start($kind, $directory . '/data');
        if ($kind !== DatabaseKind::Sqlite) {
            DeployedSite::import($root, $database, $kept . '/apt', self::ITEMS, $bar->setProgress(...));
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
        $run->atEnd($site->stop(...));
        [$progress, $say] = self::progress($notes);
        $rates = (new PageRates($site->running, $directory, $site->site->pages, self::PAGE, $say))->measure(
            $run->number('rounds'),
            $run->seconds(),
        );
        [$edits, $dropped] = $this->edit($site, $run->number('edits'), $say);
        HotItems::remove(Pages::of($site->site)->connect());
        $visitors = self::visitors($run->text('visitors'));
        $bursts = $visitors === [] ? [] : (new Expiry($directory, $items, $startup, $say))->measure($visitors);
        $progress->clear();
        $result = DemoReport::figures($rates, $edits, $dropped)
            + ['queries' => array_map(static fn(Burst $burst): array => $burst->row(), $bursts)];
        self::keep($kept, $database, $result);
        DemoReport::write($output, $rates, $result);
        if ($bursts !== []) {
            (new ExpiryTable($bursts))->write($output);
        }
        if (self::isWatched()) {
            $site->running->stop();
            self::stay($run, $root, $database, $startup, $output);
        }
        $again = array_filter(
            $bursts,
            static fn(Burst $burst): bool => $burst->way !== Way::Plain && !$burst->isOnce(),
        );

        return $edits->clean && $rates['php_requests'] === 0 && $rates['wrong'] === 0 && $again === []
            ? self::SUCCESS
            : self::FAILURE;
    }

    /**
     * Runs the site once more, so that what it shows of itself is in no measurement, until no server runs any more.
     *
     * @param array<string, string> $startup php.ini values of php-fpm's master
     */
    private static function stay(
        Run $run,
        string $root,
        Database $database,
        array $startup,
        OutputInterface $output,
    ): void {
        $dashboard = Ports::free();
        $secret = bin2hex(random_bytes(8));
        $site = DeployedSite::start(
            $root,
            $run->directory() . '/shown',
            $database,
            environment: ['APP_NOTES' => 'on', 'APP_DASHBOARD' => $secret],
            startup: $startup,
            more: static fn(int $port, string $pages, string $socket): string
                => DashboardBlock::of($dashboard, $socket, $root . '/public/dashboard.php'),
        );
        $run->atEnd($site->stop(...));
        $output->writeln(\sprintf(
            "\nThe site runs at %s until you press Ctrl-C; %s",
            $site->running->url,
            DashboardBlock::told($dashboard, $secret),
        ));
        while ($site->running->pids() !== []) {
            usleep(200_000);
        }
    }

    private function several(Run $run, DatabaseKind $kind, OutputInterface $output, OutputInterface $notes): int
    {
        [$root, $kept, $directory] = [self::root(), self::kept($run), $run->directory(onDisk: true)];
        $database = Database::start($kind, $directory . '/data');
        $run->atEnd($database->stop(...));
        $bar = new ProgressBar($notes, self::ITEMS);
        $bar->setRedrawFrequency(500);
        DeployedSite::import($root, $database, $kept . '/apt', self::ITEMS, $bar->setProgress(...));
        $bar->clear();
        $notes->writeln('Database: ' . $database->version());
        $demo = new HostsDemo(
            $root,
            $directory,
            $database,
            max(2, $run->number('hosts')),
            ['APP_NOTES' => self::isWatched() ? 'on' : 'off'],
            ['extension' => Extension::at(null)->file],
        );
        $run->atEnd($demo->stop(...));
        [$progress, $say] = self::progress($notes);
        $result = $demo->run($run->number('edits'), $say, $output);
        $progress->clear();
        self::keep($kept, $database, $result);
        if (self::isWatched()) {
            $demo->stay($output);
        }

        return $result['clean'] === true ? self::SUCCESS : self::FAILURE;
    }

    private static function root(): string
    {
        return \dirname(__DIR__, 3) . '/app';
    }

    /** The directory of the items and the result. */
    private static function kept(Run $run): string
    {
        @mkdir($run->text('directory'), recursive: true);

        return (string) realpath($run->text('directory'));
    }

    /** @param array<string, mixed> $result */
    private static function keep(string $kept, Database $database, array $result): void
    {
        file_put_contents($kept . '/result.json', json_encode(
            ['database' => $database->version()] + $result,
            JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR,
        ) . "\n");
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
    private static function visitors(string $option): array
    {
        $visitors = array_map(intval(...), explode(',', $option));

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
        $ledger = Pages::of($site->site)->ledger();
        $pages = fn(): int => $ledger->index()->count()['pages'];
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
