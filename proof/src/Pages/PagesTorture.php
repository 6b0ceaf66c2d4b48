<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Proof\About;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\Torture;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Symfony\Component\Console\Exception\InvalidOptionException;

/** Runs readers, writers, deployments and kills on a copy of the example site. */
final class PagesTorture implements Torture
{
    private const WORKERS = 6;

    /** Of the pages of several hosts, unless others are wanted. */
    private const MEMCACHED = 2;

    public function about(): About
    {
        $guards = array_values(array_filter(array_column(MissingGuard::cases(), 'value')));

        return new About(
            'pages',
            'Reads, changes, deployments and kills on a real nginx and php-fpm, and counts stale pages',
            <<<'HELP'
            Example: <info>script/torture pages --seconds=300</info>
            Example: <info>script/torture pages --hosts=2 --database=mariadb --seconds=300</info>

            Three readers, two writers and a killer share twenty hot items. Each reader SELECTs the items' states, asks
            nginx for a page that shows some of them and SELECTs again. One writer has a PDO and tells the ledger half
            of what it changes; the other one has a connection of Doctrine DBAL and tells nothing. On MariaDB a third
            one has a mysqli and tells half. A deployer replaces the code, runs <info>larder deploy</info> and reloads
            php-fpm, or writes past every ledger and runs <info>larder flush</info>; some of its runs are killed, and
            the registry changes with the code. It waits for 4,000 reads in between, at most 15 seconds. A deployment
            starts the writers again; one of eight still has the registry of before. A page that shows less than the
            first SELECT saw is stale, and so is one of code from before the last deployment, or of data from before
            the last flush; one that shows more than the second SELECT saw was never committed. The last line says how
            many there were. The exit code is 1 if there were any, and 2 if the run was too poor to show anything.

            With <info>--hosts</info> each host has an nginx, a php-fpm, a page directory, a release list, two readers
            and its writers; they share the code, the database and the memcached servers of the pages. Each deployment
            and flush runs on any one of them, and the others go on; they get the list and are reloaded a moment later.

            Where the pages are in memcached, one server in turn is killed and begun anew, or stopped for up to 400 ms.
            A change of its pages fails after 200 ms. Such changes are refused, rolled back and counted apart.
            HELP,
            [
                Option::seconds(),
                Option::database(),
                Option::number('hosts', 'Web servers of the site; several need mariadb or postgresql', 1, 4, 1),
                Option::number('memcached', 'Servers that have the pages, and not a directory; several hosts have '
                    . self::MEMCACHED . ' unless you want more', 0, 8, 0),
                Option::choice('broken', 'With --hosts: take a guard away, to see that it is missed: drop (a change'
                    . ' deletes its pages on the first server alone), swap (a page overwrites whatever is at its key).'
                    . ' The run ends with the first stale page', $guards),
                Option::choice('answers', 'Whether php-fpm sends each page before it stores it, or last; by default'
                    . ' last with files and first with memcached', ['first', 'last']),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $hosts = max(1, $run->number('hosts'));
        $kind = DatabaseKind::from($run->text('database'));
        if ($hosts > 1 && $kind === DatabaseKind::Sqlite) {
            throw new InvalidOptionException('--hosts: several need --database=mariadb or --database=postgresql.', 2);
        }
        $missing = MissingGuard::from($run->text('broken'));
        $memcached = $run->number('memcached');
        $directory = $run->directory(onDisk: true);
        $code = SiteCode::copy(self::site(), $directory, $missing);
        $database = Database::start($kind, $directory . '/data');
        $run->atEnd($database->stop(...));
        HotItems::fill($database, self::site());
        $site = HostedSite::start(
            $code->directory,
            $directory,
            $database,
            $hosts,
            $hosts > 1 && $memcached === 0 ? self::MEMCACHED : $memcached,
            self::WORKERS,
            ['APP_ANSWERS_FIRST' => ['first' => 'on', 'last' => 'off'][$run->text('answers')] ?? ''],
            user: Account::ableToReach(self::site() . '/larder.php')->user,
        );
        $run->atEnd($site->stop(...));

        return (new PagesRun(
            $site->hosts,
            $run->tell(...),
            $code,
            memcached: $site->memcached,
            untilWrong: $missing !== MissingGuard::None,
        ))->run($run->seconds());
    }

    /** Directory of the example site. */
    public static function site(): string
    {
        return \dirname(__DIR__, 3) . '/app';
    }
}
