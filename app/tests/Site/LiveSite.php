<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Configuration;
use App\Tests\ChosenDatabase;
use Closure;
use Larder\Page\Files;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use LogicException;

/** The example site over sixty short items, on real servers; or the same with the traps beside it. */
final readonly class LiveSite
{
    public string $address;

    /** @param Closure(): void $end */
    private function __construct(
        public Configuration $configuration,
        public Site $site,
        public RunningSite $servers,
        private Closure $end,
    ) {
        $this->address = '127.0.0.1:' . $servers->port;
    }

    /**
     * With the extension where it is built, so that rows and lists come out of the cache, as by default.
     *
     * @param array<string, string> $environment further variables
     * @param Database|null         $database    with its items, which stop() stops too; null: as ChosenDatabase says
     */
    public static function example(array $environment = [], int $workers = 4, ?Database $database = null): self
    {
        $directory = new TemporaryDirectory();
        $startup = is_file(Extension::built()) ? ['extension' => Extension::built()] : [];
        $deployed = DeployedSite::start(
            \dirname(__DIR__, 2),
            $directory->path . '/site',
            $database ?? ChosenDatabase::withItems($directory->path . '/data'),
            $workers,
            $environment,
            startup: $startup,
        );
        $configuration = new Configuration($environment + [
            ...$deployed->database->environment(),
            'APP_PAGES' => $deployed->pages,
            'APP_LIST' => $deployed->site->list,
            'APP_VAR' => $deployed->var,
        ]);

        $stop = static function () use ($directory, $deployed): void {
            $deployed->stop();
            $directory->remove();
        };

        return new self($configuration, $deployed->site, $deployed->running, $stop);
    }

    /**
     * @param array<string, string> $ini
     * @param string|null           $pages another directory for the page store
     */
    public static function withTraps(
        int $workers = 2,
        array $ini = [],
        ?string $pages = null,
        bool $inMemcached = false,
    ): self {
        $directory = new TemporaryDirectory();
        $path = $directory->path;
        $memcached = $inMemcached ? new Memcached($path . '/memcached', socket: true) : null;
        $database = ChosenDatabase::withItems($path . '/data');
        $environment = [
            ...$database->environment(),
            'APP_PAGES' => $pages ?? $path . '/pages',
            'APP_LIST' => $path . '/var/release.php',
            'APP_VAR' => $path . '/var',
            'APP_PAGES_MEMCACHED' => $memcached === null ? '' : 'unix:' . $memcached->endpoint()->socket,
        ];
        $configuration = new Configuration($environment);
        $site = TrapSite::site($configuration);
        Pages::of($site)->deploy();
        $servers = RunningSite::start(
            $site,
            $path . '/run',
            __DIR__ . '/front.php',
            null,
            $workers,
            $environment,
            $ini,
            [...$database->writable(), $path . '/var'],
        );

        $stop = static function () use ($directory, $servers, $database, $memcached): void {
            $servers->stop();
            $memcached?->stop();
            $database->stop();
            $directory->remove();
        };

        return new self($configuration, $site, $servers, $stop);
    }

    public function stop(): void
    {
        ($this->end)();
    }

    /** Lets a page of each kind teach Larder which columns the site's statements compare. */
    public function warmUp(): void
    {
        foreach (['/', '/news/1', '/category/jars', '/search/sage', '/categories', '/feed/jars'] as $uri) {
            $this->get($uri);
        }
    }

    /** Removes all pages. */
    public function flush(): void
    {
        Pages::of($this->site)->ledger($this->configuration->connect())->flush();
    }

    /** @param array<string, string> $headers */
    public function get(string $uri, array $headers = []): Response
    {
        return Connection::ask($this->address, 'GET', $uri, $headers);
    }

    /** @param array<string, string> $headers */
    public function ask(string $method, string $uri, array $headers = [], string $body = ''): Response
    {
        return Connection::ask($this->address, $method, $uri, $headers, $body);
    }

    /** @param array<string, string> $fields */
    public function post(string $uri, array $fields): Response
    {
        return $this->ask(
            'POST',
            $uri,
            ['Content-Type' => 'application/x-www-form-urlencoded'],
            http_build_query($fields),
        );
    }

    /** What Larder had to say to the site's owner. */
    public function log(): string
    {
        return (string) @file_get_contents($this->configuration->var . '/larder.log');
    }

    /**
     * @return list<string> pages of all releases, drafts and held names: whatever could reach a visitor now or later
     */
    public function stored(): array
    {
        if ($this->site->storage->memcached !== []) {
            return $this->inMemcached();
        }
        $found = [];
        $files = new Files();
        $waiting = ['r', 'draft', 'hold'];
        while ($waiting !== []) {
            $directory = array_pop($waiting);
            foreach ($files->entries($this->site->pages . '/' . $directory) as $name => $isDirectory) {
                $isDirectory ? $waiting[] = $directory . '/' . $name : $found[] = $directory . '/' . $name;
            }
        }
        sort($found);

        return $found;
    }

    /** @return list<string> keys of all entries that are not empty: the leases are */
    private function inMemcached(): array
    {
        $server = strtr($this->site->storage->memcached[0], ['unix:' => 'unix://']);
        $list = (string) Exchange::with($server, "lru_crawler metadump all\r\n", "END\r\n");
        preg_match_all('/^key=(\S+) /m', $list, $keys);
        $found = [];
        // One that memcached moves to another queue meanwhile is told twice.
        foreach (array_unique(array_map(rawurldecode(...), $keys[1])) as $key) {
            $size = (string) Exchange::with($server, "mg $key s\r\nmn\r\n", "MN\r\n");
            if (!str_ends_with($key, '@') && !str_contains($size, ' s0') && str_contains($size, ' s')) {
                $found[] = $key;
            }
        }
        sort($found);

        return $found;
    }

    /** @return list<string> keys of the pages in the store, each with its twin; a file too many or too few throws */
    public function keys(): array
    {
        $release = 'r/' . Pages::of($this->site)->release()?->id;
        $keys = [];
        $files = array_flip($this->stored());
        foreach (array_keys($files) as $file) {
            if (
                str_starts_with($file, $release . '/')
                && str_ends_with($file, '~page')
                && isset($files[$file . '.gz'])
            ) {
                $keys[] = substr($file, \strlen($release), -\strlen('~page'));
            }
        }

        return 2 * \count($keys) === \count($files)
            ? $keys
            : throw new LogicException('A page without twin, or a draft: ' . implode(' ', array_keys($files)));
    }
}
