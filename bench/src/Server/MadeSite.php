<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Composer\Autoload\ClassLoader;
use Larder\Page\MemcachedPageStore;
use Larder\Page\PagePath;
use Larder\Page\Site;
use Larder\Testbed\ClassMap;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Site\DeployedSite;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use ReflectionClass;
use Throwable;

/**
 * The site of libexec/site, with one worker of php-fpm, and its pages by what else nginx can do with the same bytes.
 *
 * Endpoint::$extra has their addresses: `larder` is the page of the page store, `file` a plain file (with parts plain
 * SSI over files), `srcache` a bare srcache_fetch from memcached, `pass` nginx' own memcached_pass, `uncached` PHP
 * without Larder. `-2` and `-50` behind it stand for the page of that many KB, compressed, `-3-parts` for one of three
 * parts; without, it is the smallest. Besides: `scripts` (directory), `php` and `status` (sockets of php-fpm), `worker`
 * (process); both of them for a php-fpm that has preloaded all classes (`preloaded-php`), unless the site has parts;
 * `memcached` (socket) and `database` (the server's first process), which are empty if there is none.
 */
final class MadeSite implements Server
{
    public const PARTS = [0, 1, 3, 10];

    /** Bytes by kilobytes, when they are compressed. */
    private const SIZES = [2 => 2_000, 50 => 50_000];

    /** Of a page, beside the random words of its item. */
    private const OTHER_BYTES = 150;

    private const ITEMS = 110;
    private const ROOT = __DIR__ . '/../../libexec/site';

    private const STARTUP = [
        'opcache.enable' => '1', 'opcache.validate_timestamps' => '0', 'opcache.file_update_protection' => '0',
        'realpath_cache_size' => '4096K',
    ];

    private readonly int $owner;
    private readonly TemporaryDirectory $memory;
    private readonly Database $database;
    private readonly ?Memcached $memcached;
    private readonly DeployedSite $site;
    private readonly ?PhpFpm $preloaded;
    private readonly string $other;

    /** @var list<PDO> one to each file: the first connection and the last one have more to do than others */
    private array $open = [];

    /** @var array<string, string> */
    private array $urls = [];

    /** @param string $directory for the files of the site; made if need be */
    public function __construct(string $directory, private readonly Kind $kind)
    {
        $this->owner = (int) getmypid();
        $inMemcached = $kind !== Kind::FilesSite && $kind !== Kind::PartsSite;
        $hasParts = $kind === Kind::PartsSite || $kind === Kind::MemcachedPartsSite;
        $of = match ($kind) {
            Kind::MariaDbSite => DatabaseKind::MariaDb,
            Kind::PostgreSqlSite => DatabaseKind::PostgreSql,
            default => DatabaseKind::Sqlite,
        };
        $this->memory = new TemporaryDirectory('larder', is_writable('/dev/shm') ? '/dev/shm' : null);
        chmod($this->memory->path, 0o755);
        mkdir($directory . '/code', recursive: true);
        $this->memcached = $inMemcached ? new Memcached($directory . '/memcached', socket: true) : null;
        $this->database = Database::start($of, $of === DatabaseKind::Sqlite
            ? $this->memory->path . '/data'
            : $directory . '/data');
        $this->fill();
        $lib = \dirname((string) (new ReflectionClass(Site::class))->getFileName(), 3);
        $vendor = \dirname((string) (new ReflectionClass(ClassLoader::class))->getFileName(), 2);
        $controllers = self::root() . '/controllers.php';
        ClassMap::write($directory . '/code', $vendor, $lib, [
            'BenchSite\ItemController' => $controllers, 'BenchSite\PartController' => $controllers,
        ]);
        $other = 0;
        $this->site = DeployedSite::start(
            self::root(),
            $directory . '/site',
            $this->database,
            1,
            [
                'SITE_AUTOLOAD' => $directory . '/code/autoload.php',
                'SITE_CODE' => (string) realpath($lib . '/src'),
                'SITE_MEMCACHED' => $inMemcached ? (string) $this->memcached?->endpoint()->address() : '',
                'SITE_PARTS' => $hasParts ? '1' : '0',
            ],
            function (int $port, string $pages, string $socket) use (&$other, $inMemcached): string {
                $other = Ports::free();

                return self::peers($other, $pages, $socket, $inMemcached);
            },
            self::STARTUP,
            isPatient: true,
        );
        $this->other = 'http://127.0.0.1:' . $other;
        try {
            $this->preloaded = $hasParts ? null : $this->preloading($directory);
            foreach ($hasParts ? self::PARTS : array_keys(self::SIZES) as $number) {
                $hasParts ? $this->parts($number) : $this->page($number);
            }
        } catch (Throwable $thrown) {
            $this->stop();
            throw $thrown;
        }
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function endpoint(): Endpoint
    {
        $running = $this->site->running;
        $memcached = $this->memcached?->endpoint();
        $pids = $memcached->pids ?? [];
        foreach ($running->pids() as $pid) {
            $pids = [...$pids, ...ProcessTree::of($pid)];
        }
        $extra = [
            ...$this->urls,
            'scripts' => self::root(),
            'status' => \dirname($running->php->socket) . '/status.sock',
            'memcached' => $memcached->socket ?? '',
            'database' => (string) ($this->database->pids()[0] ?? ''),
        ];
        foreach (['' => $running->php, 'preloaded-' => $this->preloaded] as $name => $php) {
            $extra += $php === null ? [] : [$name . 'php' => $php->socket, $name . 'worker' => self::worker($php)];
        }

        return new Endpoint('127.0.0.1', $running->port, 0, null, $pids, $extra);
    }

    public function version(): string
    {
        $running = $this->site->running;
        $versions = [$running->nginx->version(), $running->php->version(), $this->database->version()];

        return implode(', ', [...$versions, $this->memcached?->version() ?? 'pages in files']);
    }

    public function command(): string
    {
        return implode('; ', array_map(ProcessTree::command(...), $this->site->running->pids()));
    }

    public function isRunning(): bool
    {
        return \count($this->site->running->pids()) === 2 && $this->memcached?->isRunning() !== false;
    }

    public function stop(): void
    {
        if ($this->owner === getmypid()) {
            $this->open = [];
            $this->preloaded?->stop();
            $this->site->stop();
            $this->memcached?->stop();
            $this->memory->remove();
        }
    }

    private static function root(): string
    {
        return (string) realpath(self::ROOT);
    }

    private static function worker(PhpFpm $php): string
    {
        do {
            usleep(1000);
            $workers = $php->workers();
        } while ($workers === []);

        return (string) $workers[0];
    }

    /** By plain SQL: nothing was made of it yet. */
    private function fill(): void
    {
        $database = $this->database->connect();
        $isFile = $this->database->kind === DatabaseKind::Sqlite;
        if ($isFile) {
            $database->exec('PRAGMA journal_mode = WAL');
        }
        $text = $this->database->kind === DatabaseKind::MariaDb ? 'MEDIUMTEXT' : 'TEXT';
        $database->exec("CREATE TABLE item (id INTEGER PRIMARY KEY, category VARCHAR(20), body $text)");
        $database->exec('CREATE TABLE note (id INTEGER PRIMARY KEY, item INTEGER, words TEXT)');
        $database->exec('CREATE INDEX of_item ON note (item)');
        $bytes = array_fill(1, self::ITEMS, 1400);
        foreach (self::SIZES as $size) {
            $bytes[$size] = $size - self::OTHER_BYTES;
        }
        foreach ($bytes as $id => $count) {
            // It is random, so that it is about as long when it is compressed.
            $database->prepare('INSERT INTO item VALUES (?, ?, ?)')
                ->execute([$id, $id > 100 ? "of-$id" : 'net', base64_encode(random_bytes($count))]);
            for ($note = 3 * $id; $note < 3 * $id + 3; ++$note) {
                $database->exec("INSERT INTO note VALUES ($note, $id, 'Some words of it.')");
            }
        }
        if ($isFile) {
            // Without Larder there are none of its tables, whose schema each connection reads.
            $plain = \dirname($this->database->name) . '/plain.sqlite';
            $database->exec("VACUUM INTO '$plain'");
            $this->open = [$database, new PDO('sqlite:' . $plain)];
            $this->open[1]->exec('PRAGMA journal_mode = WAL');
            array_walk($this->open, static fn(PDO $open): mixed => $open->query('SELECT 1 FROM note'));
        }
    }

    private function preloading(string $directory): PhpFpm
    {
        $account = Account::ableToReach(self::root() . '/public/index.php');
        $own = $directory . '/preloaded';
        $account->own($own . '/tmp');
        $account->own($own);
        file_put_contents($own . '/preload.php', \sprintf(
            "<?php\nforeach (require %s as \$class => \$file) {\n"
                . "    str_starts_with(\$class, 'Larder') && @opcache_compile_file(\$file);\n}\n",
            var_export($directory . '/code/classes.php', true),
        ));

        return new PhpFpm($own, $account, 1, $this->site->environment, startup: [
            ...self::STARTUP,
            'opcache.preload' => $own . '/preload.php',
            'opcache.preload_user' => $account->user ?? '',
        ]);
    }

    /** The page of one item, by all ways. */
    private function page(int $kilobytes): void
    {
        $id = self::SIZES[$kilobytes];
        $urls = $this->stored("/item/$id");
        if ($this->memcached === null) {
            $stored = $this->site->pages . '/current';
            is_dir($stored . '/plain') || mkdir($stored . '/plain');
            foreach (['', '.gz'] as $twin) {
                copy("$stored/item/$id" . PagePath::SUFFIX . $twin, "$stored/plain/$id$twin");
            }
            $urls['file'] = "{$this->other}/plain/$id";
        } else {
            $memcached = 'unix://' . $this->memcached->endpoint()->socket;
            $key = MemcachedPageStore::prefix('made') . "/item/$id";
            $answer = (string) Exchange::with($memcached, "get $key\r\n", "\r\nEND\r\n");
            $whole = substr((string) strstr($answer, "\r\n"), 2, -\strlen("\r\nEND\r\n"));
            $body = substr((string) strstr($whole, "\r\n\r\n"), 4);
            foreach (['srcache' => [0, $whole], 'pass' => [65_536, $body]] as $way => [$flags, $bytes]) {
                $set = "set /$way/$id $flags 0 " . \strlen($bytes) . "\r\n$bytes\r\n";
                Exchange::with($memcached, $set, "\r\n") === "STORED\r\n"
                    || throw ServerFailed::because("memcached does not keep /$way/$id");
                $urls[$way] = "{$this->other}/$way/$id";
            }
        }
        $this->name($urls, "-$kilobytes");
    }

    /** A page with so many parts, by all ways. */
    private function parts(int $count): void
    {
        $urls = $this->stored("/page/$count");
        if ($this->memcached === null) {
            $plain = $this->site->pages . '/current/plain';
            is_dir($plain . '/part') || mkdir($plain . '/part', recursive: true);
            preg_match_all('~<section>.*?</section>\n~s', $page = Connection::fetch($urls['uncached'])->body, $parts);
            foreach ($parts[0] as $number => $part) {
                file_put_contents("$plain/part/$number", $part);
                $include = "<!--# include virtual=\"/plain/ssi/part/$number\" -->";
                $page = substr_replace($page, $include, (int) strpos($page, $part), \strlen($part));
            }
            file_put_contents("$plain/page$count", $page);
            $urls['file'] = $this->other . ($count === 0 ? '/plain/page0' : "/plain/ssi/page$count");
        }
        $this->name($urls, "-$count-parts");
    }

    /** @param array<string, string> $urls by the way in which the page is made */
    private function name(array $urls, string $kind): void
    {
        foreach ($urls as $way => $url) {
            $this->urls += [$way => $url, $way . $kind => $url];
        }
    }

    /**
     * Asks for the page until it is stored, which may be after it was sent.
     *
     * @return array<string, string> its addresses, by what makes it
     */
    private function stored(string $uri): array
    {
        $url = $this->site->running->url . $uri;
        $status = '';
        for ($try = 0; $try < 500 && $status !== 'larder; hit'; ++$try, usleep(10_000)) {
            $status = Connection::fetch($url)->header('Cache-Status') ?? 'nothing';
        }

        return $status === 'larder; hit'
            ? ['larder' => $url, 'uncached' => $this->other . '/uncached' . $uri]
            : throw ServerFailed::because("$url is not stored: $status");
    }

    /** The server of what else nginx can do with the same bytes; memcached is the site's own upstream. */
    private static function peers(int $port, string $pages, string $socket, bool $inMemcached): string
    {
        $plain = PageScripts::php($socket, self::root() . '/public/index.php', ['REQUEST_URI' => '$1', 'PLAIN' => '1']);
        $hit = 'add_header Cache-Control no-cache; add_header Cache-Status "larder; hit";';
        $ways = $inMemcached ? <<<NGINX
            location = /fetch {
                internal;
                set \$memc_cmd get;
                set \$memc_key \$args;
                memc_pass larder_made_pages;
            }
            location /srcache/ {
                root /dev/null;
                srcache_fetch GET /fetch \$request_uri;
                srcache_ignore_content_encoding on;
                gunzip on;
            }
            location /pass/ {
                set \$memcached_key \$request_uri;
                memcached_gzip_flag 65536;
                memcached_pass larder_made_pages;
                gunzip on;
                add_header Vary Accept-Encoding;
                $hit
            }
            NGINX : <<<NGINX
            location /plain/ {
                root $pages/current;
                gzip_static on;
                gunzip on;
                gzip_vary on;
                add_header Last-Modified "";
                $hit
            }
            location /plain/ssi/ {
                alias $pages/current/plain/;
                ssi on;
                ssi_types *;
                etag off;
                open_file_cache off;
                $hit
            }
            NGINX;

        return <<<NGINX
            server {
                listen 127.0.0.1:$port;
                default_type "text/html; charset=utf-8";
                types {}
                log_not_found off;
                etag on;
                location ~ ^/uncached(/.*)\$ { $plain }
                $ways
            }

            NGINX;
    }
}
