<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Larder\Testbed\Process\Signals;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\DeployedSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Torture\Option;
use Larder\Torture\Profile;
use Larder\Torture\RequiredExtension;
use Larder\Torture\Result;
use Larder\Torture\Torture;

/** Runs readers, writers, deployments and kills on a copy of the example site. */
final class PagesTorture implements Torture
{
    private const WORKERS = 6;

    public function name(): string
    {
        return 'pages';
    }

    public function description(): string
    {
        return 'Reads, changes, deployments and kills on a real nginx and php-fpm, and counts stale pages';
    }

    public function help(): string
    {
        return <<<'HELP'
            Example: <info>script/torture pages --seconds=300</info>

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
            HELP;
    }

    public function options(): array
    {
        return [Option::seconds(), Option::database()];
    }

    public function requiredExtension(): RequiredExtension
    {
        return RequiredExtension::None;
    }

    public function run(Profile $profile): Result
    {
        $root = self::site();
        $scratch = new TemporaryDirectory('larder-torture', sys_get_temp_dir());
        try {
            $kind = DatabaseKind::from($profile->text('database'));
            $database = Database::start($kind, $scratch->path . '/data');
            HotItems::fill($database, $root);
            $code = SiteCode::copy($root, $scratch->path);
            $site = DeployedSite::start(
                $code->directory,
                $scratch->path . '/site',
                $database,
                self::WORKERS,
                user: Account::ableToReach($root . '/larder.php')->user,
            );
            Signals::stop($site->stop(...));
            try {
                return (new PagesRun($site, $profile->tell(...), $code))->run($profile->seconds());
            } finally {
                $site->stop();
            }
        } finally {
            $scratch->remove();
        }
    }

    /** Directory of the example site. */
    public static function site(): string
    {
        return \dirname(__DIR__, 3) . '/app';
    }
}
