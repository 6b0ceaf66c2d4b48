<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Closure;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\UsageError;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Site\DeployedSite;
use PDO;
use PDOException;
use Throwable;

/**
 * A site on nginx and php-fpm, and its pages made in other ways, from a static file to the application without a cache.
 * All ways send the same bytes, each request the same.
 *
 * A site with the table `news` (title, summary, body, category, author) and pages `/news/ID` gets four items whose
 * pages have 2, 10, 38 and 200 KB. Of any other site the page is `/`, and its size is what it is. The site turns its
 * cache off when the environment says `APP_CACHE=off`, and stores no page when the parameter `LARDER_PAGE` is empty.
 *
 * Endpoint::$extra has the addresses. All but `url` are also there with `-2`, `-10`, `-38` or `-200` at the end, for
 * the page of that many KB; without it they are those of the smallest page.
 *
 * | key           | |
 * | ------------- | --- |
 * | url           | the site itself, without a slash at its end |
 * | static        | a file, sent with the headers of a hit from the directory in which hits are |
 * | hit           | the page of the page store, after the first request |
 * | echo          | PHP that echoes the page as a literal |
 * | include-1, include-10, include-100 | PHP that includes the page from that many files; smallest page only |
 * | memcached     | nginx' own module gets it from memcached over connections that it keeps |
 * | memcached-connect | the same, over a new connection each time |
 * | ttl           | nginx keeps what the application sent for an hour, whatever changes |
 * | app           | the application with Larder, for a request whose page may not be stored |
 * | uncached      | the application without Larder |
 */
final class PageSite implements Server
{
    /** Bytes by kilobytes. The smallest has the size of the source's page. */
    private const SIZES = [2 => 2_042, 10 => 10_000, 38 => 38_000, 200 => 200_000];

    private const SMALLEST = 2;

    /** A site's bin/import makes this many items. */
    private const ITEMS = 1_000;

    private readonly int $owner;
    private readonly DeployedSite $site;
    private readonly Memcached $memcached;
    private readonly string $other;
    private readonly string $version;

    /** @var array<string, string> */
    private readonly array $urls;

    /**
     * @param string $root      the directory of the site, see DeployedSite
     * @param string $directory for the files of the site; made if need be
     * @param string $database  as the site's bin/import makes it; a copy is used
     */
    public function __construct(string $root, string $directory, string $database, int $workers = 4)
    {
        $this->owner = (int) getmypid();
        $other = 0;
        $front = $root . '/public/index.php';
        $this->memcached = new Memcached($directory . '/memcached', socket: true);
        $more = function (int $port, string $pages, string $socket) use ($front, $directory, &$other): string {
            do {
                $other = Ports::free();
            } while ($other === $port);

            return $this->caches($directory)
                . self::serverBlock($other, $pages, $socket, $directory . '/scripts', $front);
        };
        $copy = Database::copy($database, $directory . '/data');
        try {
            $this->site = DeployedSite::start($root, $directory, $copy, $workers, more: $more);
        } catch (Throwable $thrown) {
            $this->memcached->stop();
            throw $thrown;
        }
        $this->other = 'http://127.0.0.1:' . $other;
        $running = $this->site->running;
        $this->version = \sprintf(
            '%s, %s, %d workers, page store in %s',
            $running->nginx->version(),
            $running->php->version(),
            $workers,
            str_starts_with($this->site->pages, '/dev/shm') ? 'memory' : 'a directory',
        );
        try {
            $this->urls = $this->addresses(new PageScripts($directory . '/scripts'));
        } catch (Throwable $thrown) {
            $this->stop();
            throw $thrown;
        }
    }

    public function __destruct()
    {
        $this->stop();
    }

    /**
     * Makes the database of the site if this is the first run with it.
     *
     * @param Closure(string): void $progress
     */
    public static function start(string $root, string $directory, int $workers, Closure $progress): self
    {
        $kept = self::kept($root);
        if (!is_file(\sprintf('%s/items-%d.sqlite', $kept, self::ITEMS))) {
            $progress('the site imports its items, once');
        }
        $database = DeployedSite::database($root, $kept, self::ITEMS, static function (
            int $items,
        ) use ($progress): void {
            if ($items % 250 === 0) {
                $progress(\sprintf('items of the site: %d of %d', $items, self::ITEMS));
            }
        });

        return new self($root, $directory, $database, $workers);
    }

    /**
     * @param string|null $directory as the option --site has it; null: the repository's app/, if it is beside the bench
     *
     * @return string|null an absolute path; null: there is no site
     *
     * @throws UsageError if the directory has no site
     */
    public static function root(?string $directory): ?string
    {
        $root = (string) realpath($directory ?? self::besideBench());
        foreach (['larder.php', 'public/index.php', 'bin/import'] as $file) {
            if (!is_file($root . '/' . $file)) {
                return $directory === null
                    ? null
                    : throw new UsageError(\sprintf('--site=%s: there is no %s in it.', $directory, $file));
            }
        }

        return $root;
    }

    public function endpoint(): Endpoint
    {
        $pids = $this->memcached->endpoint()->pids;
        foreach ($this->site->running->pids() as $pid) {
            $pids = [...$pids, ...ProcessTree::of($pid)];
        }

        return new Endpoint('127.0.0.1', $this->site->running->port, 0, null, $pids, $this->urls);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return implode('; ', array_map(ProcessTree::command(...), $this->site->running->pids()));
    }

    public function isRunning(): bool
    {
        return \count($this->site->running->pids()) === 2 && $this->memcached->isRunning();
    }

    public function stop(): void
    {
        if ($this->owner === getmypid()) {
            $this->site->stop();
            $this->memcached->stop();
        }
    }

    /** The directory that keeps a site's items from run to run: script/demo's for the repository's own site. */
    private static function kept(string $root): string
    {
        if ($root === realpath(self::besideBench())) {
            return \dirname($root) . '/build/demo';
        }
        $kept = \sprintf('%s/larder-bench-%d', sys_get_temp_dir(), posix_geteuid());
        if (!is_dir($kept)) {
            @mkdir($kept, 0o700);
        }
        $about = lstat($kept);
        if ($about === false || $about['uid'] !== posix_geteuid() || ($about['mode'] & 0o170077) !== 0o040000) {
            throw ServerFailed::because($kept . ' is no directory that only this account can read');
        }

        return $kept . '/' . hash('xxh3', $root);
    }

    private static function besideBench(): string
    {
        return \dirname(__DIR__, 3) . '/app';
    }

    /** @return array<string, string> */
    private function addresses(PageScripts $scripts): array
    {
        $urls = ['url' => $this->site->running->url];
        foreach ($this->pages() as $kilobytes => $uri) {
            $isSmallest = $kilobytes === 0 || $kilobytes === self::SMALLEST;
            foreach ($this->ways($scripts, $kilobytes, $uri, $isSmallest) as $way => $url) {
                $urls += $isSmallest ? [$way => $url] : [];
                $urls += $kilobytes === 0 ? [] : [$way . '-' . $kilobytes => $url];
            }
        }

        return $urls;
    }

    /** @return array<int, string> URI by kilobytes; 0: the size is unknown */
    private function pages(): array
    {
        $connection = $this->site->database->connect();
        try {
            $connection->query('SELECT title, summary, body, category, author FROM news LIMIT 0');
        } catch (PDOException) {
            return [0 => '/'];
        }
        // All items before the first page is stored: a new item makes stored pages old.
        $uris = [];
        foreach (self::SIZES as $kilobytes => $bytes) {
            $uris[$kilobytes] = '/news/' . $this->item($connection, $kilobytes, $bytes);
        }

        return $uris;
    }

    /**
     * Inserts by plain SQL, which Larder does not see: nothing was made from the table yet.
     *
     * @return int id of an item whose page has exactly that many bytes
     */
    private function item(PDO $connection, int $kilobytes, int $bytes): int
    {
        $text = min(500, $bytes);
        $id = 0;
        for ($attempt = 0; $attempt < 4; ++$attempt) {
            $body = PageScripts::text(max(1, $text));
            $connection->prepare('DELETE FROM news WHERE id = ?')->execute([$id]);
            $connection->prepare(
                "INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, 'bench', 'Bench')",
            )->execute(["{$kilobytes} KB", substr($body, 0, 20), $body]);
            $id = (int) $connection->lastInsertId();
            $missing = $bytes - \strlen(self::body("{$this->other}/uncached/news/{$id}"));
            if ($missing === 0) {
                return $id;
            }
            $text += $missing;
        }
        throw new NotApplicable("the site's page of an item cannot be made to have {$bytes} bytes");
    }

    /**
     * @return array<string, string> address by the way in which the page is made
     *
     * @throws NotApplicable if the site does not send the same page each time
     */
    private function ways(PageScripts $scripts, int $kilobytes, string $uri, bool $withIncludes): array
    {
        $body = self::body($this->other . '/uncached' . $uri);
        file_put_contents($this->site->pages . "/current/static-{$kilobytes}", $body);
        $scripts->echo("echo-{$kilobytes}", $body);
        $this->keep("/memcached/{$kilobytes}", $body);
        $ways = [
            'static' => "{$this->other}/static-{$kilobytes}",
            'hit' => $this->site->running->url . $uri,
            'memcached' => "{$this->other}/memcached/{$kilobytes}",
            'memcached-connect' => "{$this->other}/memcached-connect/{$kilobytes}",
            'ttl' => $this->other . '/ttl' . $uri,
            'echo' => "{$this->other}/echo-{$kilobytes}",
            'app' => $this->other . '/app' . $uri,
            'uncached' => $this->other . '/uncached' . $uri,
        ];
        foreach ($withIncludes ? PageScripts::INCLUDES : [] as $files) {
            $scripts->including("include-{$files}", $body, $files);
            $ways["include-{$files}"] = "{$this->other}/include-{$files}";
        }
        foreach ($ways as $url) {
            if (self::body($url) !== $body || self::body($url) !== $body) {
                throw new NotApplicable("the page {$uri} is not the same at {$url} as at {$ways['uncached']}");
            }
        }
        $status = Connection::fetch($ways['hit'])->headers['cache-status'] ?? '';

        // A site may store other pages than this one.
        return $status === 'larder; hit' ? $ways : array_diff_key($ways, ['hit' => '']);
    }

    private function keep(string $key, string $body): void
    {
        $request = "set $key 0 0 " . \strlen($body) . "\r\n$body\r\n";
        if (Exchange::with('unix://' . $this->memcached->endpoint()->socket, $request, "\r\n") !== "STORED\r\n") {
            throw ServerFailed::because('memcached did not store a page');
        }
    }

    private static function body(string $url): string
    {
        $reply = Connection::fetch($url);

        return $reply->status === 200
            ? $reply->body
            : throw ServerFailed::because(\sprintf('%s: status %d', $url, $reply->status));
    }

    /** Where nginx keeps or gets what is no page of the page store. */
    private function caches(string $directory): string
    {
        $socket = $this->memcached->endpoint()->socket;

        return <<<NGINX
            fastcgi_cache_path {$directory}/ttl keys_zone=larder_bench_ttl:1m;
            upstream larder_bench_kept {
                server unix:{$socket};
                keepalive 64;
            }
            upstream larder_bench_connecting {
                server unix:{$socket};
            }

            NGINX;
    }

    private static function serverBlock(
        int $port,
        string $pages,
        string $socket,
        string $scripts,
        string $front,
    ): string {
        $script = PageScripts::php($socket, $scripts . '$uri.php', ['REQUEST_URI' => '$request_uri']);
        $app = PageScripts::php($socket, $front, ['REQUEST_URI' => '$1', 'LARDER_PAGE' => '']);
        $uncached = PageScripts::php(
            $socket,
            $front,
            ['REQUEST_URI' => '$1', 'LARDER_PAGE' => '', 'APP_CACHE' => 'off'],
        );

        $headers = <<<'NGINX'
            default_type "text/html; charset=utf-8";
                    types {}
                    log_not_found off;
                    if_modified_since off;
                    add_header Last-Modified "";
                    add_header Cache-Control "no-cache";
                    add_header Cache-Status "larder; hit";
                    add_header Vary "Accept-Encoding";
                    add_header X-Content-Type-Options "nosniff";
                    add_header Referrer-Policy "same-origin";
            NGINX;

        return <<<NGINX
            # For measuring only: the pages of the site, made in other ways.
            server {
                listen 127.0.0.1:{$port};
                location /static- {
                    root {$pages}/current;
                    {$headers}
                }
                location ~ ^/memcached(/[0-9]+)\$ {
                    set \$memcached_key /memcached\$1;
                    memcached_pass larder_bench_kept;
                    {$headers}
                }
                location ~ ^/memcached-connect(/[0-9]+)\$ {
                    set \$memcached_key /memcached\$1;
                    memcached_pass larder_bench_connecting;
                    {$headers}
                }
                location ~ ^/ttl(/.*)\$ {
                    fastcgi_cache larder_bench_ttl;
                    fastcgi_cache_key \$1;
                    fastcgi_cache_valid 200 1h;
                    fastcgi_ignore_headers Cache-Control Expires Set-Cookie Vary;
                    {$app}
                }
                location ~ ^/(?:echo|include)-[0-9]+\$ {
                    {$script}
                }
                location ~ ^/app(/.*)\$ {
                    {$app}
                }
                location ~ ^/uncached(/.*)\$ {
                    {$uncached}
                }
            }

            NGINX;
    }
}
