<?php

declare(strict_types=1);

namespace Larder\Testbed\Site;

use Closure;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\TemporaryDirectory;

/**
 * A site that lies in a directory, deployed and running, with its page store in memory where the machine has that.
 *
 * The directory has these files:
 *
 * | file             | |
 * | ---------------- | --- |
 * | larder.php       | returns the Site; reads APP_PAGES, APP_LIST, APP_VAR and Database::environment() at once |
 * | public/index.php | front controller; reads the same environment |
 * | public/          | static files |
 * | bin/import       | makes the database: `--database=NAME --limit=ITEMS --lists=DIRECTORY`; same environment |
 */
final readonly class DeployedSite
{
    private function __construct(
        public Site $site,
        public RunningSite $running,
        public Database $database,
        /** Directory of the page store. */
        public string $pages,
        /** Directory of the site's logs and compiled templates. */
        public string $var,
        /** @var array<string, string> that the site was described and started with */
        public array $environment,
        private bool $isFirst,
        private TemporaryDirectory $scratch,
    ) {}

    /**
     * @param string                $root        the site's directory
     * @param string                $directory   for everything that the site writes; made if need be
     * @param Database              $database    with the site's tables; stop() stops it too
     * @param array<string, string> $environment further variables
     * @param (Closure(int, string, string): string)|null $more makes further server blocks out of the port, the page
     *     store and php-fpm's socket
     * @param array<string, string> $startup     php.ini values of php-fpm's master
     * @param string|null           $user        see RunningSite::start()
     * @param self|null             $first       host of this site that runs already, with the same root, database and
     *     pages: this one has servers, a directory of pages, logs and a release list of its own, and the list begins as
     *     a copy of that one's. null: this is the first host, and the site is deployed
     * @param bool $isPatient see RunningSite::start()
     */
    public static function start(
        string $root,
        string $directory,
        Database $database,
        int $workers = 4,
        array $environment = [],
        ?Closure $more = null,
        array $startup = [],
        ?string $user = null,
        ?self $first = null,
        bool $isPatient = false,
    ): self {
        foreach ([$directory, $directory . '/var'] as $own) {
            if (!is_dir($own)) {
                mkdir($own, recursive: true);
            }
        }
        $scratch = new TemporaryDirectory('larder', is_writable('/dev/shm') ? '/dev/shm' : $directory);
        $pages = $scratch->path;
        $environment += [
            ...$database->environment(),
            'APP_PAGES' => $pages,
            'APP_LIST' => $directory . '/var/release.php',
            'APP_VAR' => $directory . '/var',
        ];
        $site = self::describe($root . '/larder.php', $environment);
        if ($first === null) {
            Pages::of($site)->deploy();
        } else {
            self::copy($first->site->list, $site->list);
        }
        $running = RunningSite::start(
            $site,
            $directory,
            $root . '/public/index.php',
            $root . '/public',
            workers: $workers,
            environment: $environment,
            ini: ['opcache.validate_timestamps' => '0'],
            writable: [...$database->writable(), $directory . '/var'],
            user: $user,
            startup: $startup,
            more: $more === null ? null : static fn(int $port): string => $more(
                $port,
                $pages,
                $directory . '/php.sock',
            ),
            isPatient: $isPatient,
        );
        $var = $directory . '/var';

        return new self($site, $running, $database, $pages, $var, $environment, $first === null, $scratch);
    }

    /**
     * Runs the site's bin/import once and keeps the file.
     *
     * @param string             $directory for the file, and for the lists that the import fetches
     * @param Closure(int): void $progress  gets the number of items so far
     *
     * @return string the file
     */
    public static function database(string $root, string $directory, int $items, Closure $progress): string
    {
        $file = $directory . '/items-' . $items . '.sqlite';
        if (is_file($file)) {
            return $file;
        }
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $fresh = $file . '.' . bin2hex(random_bytes(6));
        self::import($root, Database::file($fresh), $directory . '/apt', $items, $progress);
        rename($fresh, $file);

        return $file;
    }

    /**
     * Runs the site's bin/import.
     *
     * @param string             $lists    directory of apt's lists, which are kept
     * @param Closure(int): void $progress gets the number of items so far
     */
    public static function import(
        string $root,
        Database $database,
        string $lists,
        int $items,
        Closure $progress,
    ): void {
        $process = proc_open(
            [PHP_BINARY, "$root/bin/import", "--database=$database->name", "--limit=$items", "--lists=$lists"],
            [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['pipe', 'w']],
            $pipes,
            null,
            [...getenv(), ...$database->environment()],
        );
        if ($process === false) {
            throw ServerFailed::because("cannot start $root/bin/import");
        }
        $said = '';
        while (($bytes = fread($pipes[2], 8192)) !== false && $bytes !== '') {
            $said = substr($said . $bytes, -2000);
            if (preg_match_all('~(\d+)/\d+~', $said, $found) > 0) {
                $progress((int) end($found[1]));
            }
        }
        fclose($pipes[2]);
        if (proc_close($process) !== 0) {
            throw ServerFailed::because("$root/bin/import failed: " . trim($said));
        }
    }

    /** Takes over the release list of another host, as after a deployment there. */
    public function copyList(self $from): void
    {
        self::copy($from->site->list, $this->site->list);
    }

    /** The first host of a site stops the database too. */
    public function stop(): void
    {
        $this->running->stop();
        if ($this->isFirst) {
            $this->database->stop();
        }
        $this->scratch->remove();
    }

    /** In one step: half a list would be none. */
    private static function copy(string $file, string $to): void
    {
        if (!@copy($file, $to . '.copied') || !rename($to . '.copied', $to)) {
            throw ServerFailed::because("cannot copy $file to $to");
        }
    }

    /**
     * What the file returns under an environment, which this process has for no longer than that.
     *
     * @param array<string, string> $environment
     */
    private static function describe(string $file, array $environment): Site
    {
        $before = [];
        try {
            foreach ($environment as $name => $value) {
                $before[$name] = getenv($name);
                putenv("$name=$value");
            }
            $site = (static fn(): mixed => require $file)();
        } finally {
            foreach ($before as $name => $value) {
                putenv($value === false ? $name : "$name=$value");
            }
        }

        return $site instanceof Site ? $site : throw ServerFailed::because("$file returns no " . Site::class);
    }
}
