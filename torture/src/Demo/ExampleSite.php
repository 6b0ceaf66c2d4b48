<?php

declare(strict_types=1);

namespace Larder\Torture\Demo;

use App\Configuration;
use App\Import\Importer;
use App\Import\PackageLists;
use Closure;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Server\RunningSite;
use Larder\Testbed\Server\Scratch;
use RuntimeException;

/**
 * The example site, deployed and running in a directory of its own, with its page store in memory where the machine has
 * that.
 */
final readonly class ExampleSite
{
    private function __construct(
        public Configuration $configuration,
        public Site $site,
        public RunningSite $running,
        private Scratch $pages,
    ) {}

    /**
     * @param string                      $database    SQLite file that app/bin/import made; a copy of it is used
     * @param array<string, string>       $environment further variables
     * @param array<string, string>       $startup     php.ini values of php-fpm's master
     * @param (Closure(int, string, string): string)|null $more given the port, the page store and php-fpm's socket,
     *     makes further server blocks
     */
    public static function start(
        string $directory,
        string $database,
        int $workers = 4,
        array $environment = [],
        ?Closure $more = null,
        array $startup = [],
    ): self {
        $root = \dirname(__DIR__, 3) . '/app';
        foreach ([$directory, $directory . '/data', $directory . '/var'] as $own) {
            if (!is_dir($own)) {
                mkdir($own, recursive: true);
            }
        }
        $scratch = Scratch::in(is_writable('/dev/shm') ? '/dev/shm' : $directory, 'larder');
        $pages = $scratch->path;
        if (!copy($database, $directory . '/data/site.sqlite')) {
            throw new RuntimeException('Cannot copy ' . $database);
        }
        $environment += [
            'APP_DATABASE' => $directory . '/data/site.sqlite',
            'APP_PAGES' => $pages,
            'APP_LIST' => $directory . '/var/release.php',
            'APP_VAR' => $directory . '/var',
        ];
        $configuration = new Configuration($environment);
        $site = $configuration->site();
        Pages::of($site)->deploy();
        $running = RunningSite::start(
            $site,
            $directory,
            $root . '/public/index.php',
            $root . '/public',
            workers: $workers,
            environment: $environment,
            ini: ['opcache.validate_timestamps' => '0'],
            writable: [$directory . '/data', $directory . '/var'],
            startup: $startup,
            more: $more === null ? null : static fn(int $port): string => $more(
                $port,
                $pages,
                $directory . '/php.sock',
            ),
        );

        return new self($configuration, $site, $running, $scratch);
    }

    /** Real texts out of apt's lists, imported once and kept. */
    public static function database(string $directory, int $items, Closure $progress): string
    {
        $file = $directory . '/items-' . $items . '.sqlite';
        if (is_file($file)) {
            return $file;
        }
        $lists = new PackageLists($directory . '/apt');
        if (!$lists->arePresent()) {
            $lists->fetch();
        }
        $fresh = $file . '.' . bin2hex(random_bytes(6));
        Importer::create($fresh)->import(
            $lists->files('_Packages'),
            $lists->files('_Translation-en'),
            $items,
            $progress,
        );
        $database = new \PDO('sqlite:' . $fresh);
        $database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
        unset($database);
        rename($fresh, $file);

        return $file;
    }

    public function stop(): void
    {
        $this->running->stop();
        $this->pages->remove();
    }
}
