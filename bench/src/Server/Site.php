<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Page\Pages;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Server\Server;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Server\Wire;
use Larder\Torture\Demo\ExampleSite;

/**
 * The example site on nginx and php-fpm, and the same pages made in other ways, for a ladder from a static file to an application.
 *
 * There are four items whose pages have 2, 10, 38 and 200 KB. All forms of one size send the same bytes, each request the same.
 *
 * Endpoint::$extra; all but `url` and `static` .. `hit` with `-2`, `-10`, `-38` or `-200` behind them are the page of that many KB, and
 * without it the one of 2:
 *
 * | key           | |
 * | ------------- | --- |
 * | url           | the site itself, without a slash at its end |
 * | static        | a file, sent with the headers of a hit from the directory that hits lie in |
 * | hit           | the page store's page, after its first request |
 * | echo          | PHP that echoes the page out of a literal |
 * | include-1, include-10, include-100 | PHP that includes so many files, each of which has a piece of the page; 2 KB only |
 * | app           | the application with Larder in it, for a request that no page may be stored for |
 * | uncached      | the application without Larder |
 */
final class Site implements Server
{
    /** Bytes by kilobytes. The smallest is the size of the source's page. */
    private const SIZES = [2 => 2_042, 10 => 10_000, 38 => 38_000, 200 => 200_000];

    private const SMALLEST = 2;

    private readonly int $owner;
    private readonly ExampleSite $site;
    private readonly int $ladderPort;
    private readonly string $version;

    /** @var array<string, string> */
    private readonly array $urls;

    /**
     * @param string $directory its own; made if need be
     * @param string $database  as ExampleSite::database() makes it; a copy is used
     */
    public function __construct(string $directory, string $database, int $workers = 4)
    {
        $this->owner = (int) getmypid();
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $ladderPort = 0;
        $this->site = ExampleSite::start($directory, $database, $workers, [], static function (int $port, string $pages, string $socket) use ($directory, &$ladderPort): string {
            do {
                $ladderPort = Nginx::freePort();
            } while ($ladderPort === $port);

            return self::serverBlock($ladderPort, $pages, $socket, $directory . '/ladder');
        });
        $this->ladderPort = $ladderPort;
        $this->version = Fpm::versions() . \sprintf(', %d workers, page store in %s', $workers, str_starts_with($this->site->site->pages, '/dev/shm') ? 'memory' : 'a directory');
        try {
            $this->urls = $this->furnish(new Ladder($directory . '/ladder'));
        } catch (\Throwable $thrown) {
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
        $pids = [];
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
        return \count($this->site->running->pids()) === 2;
    }

    public function stop(): void
    {
        if ($this->owner === getmypid()) {
            $this->site->stop();
        }
    }

    /** @return array<string, string> */
    private function furnish(Ladder $ladder): array
    {
        $site = $this->site->running->url;
        $other = 'http://127.0.0.1:' . $this->ladderPort;
        $urls = ['url' => $site];
        // All items before the first page is stored: a new item takes away the pages that there are.
        $items = [];
        foreach (self::SIZES as $kilobytes => $bytes) {
            $items[$kilobytes] = '/news/' . $this->item($kilobytes, $bytes, $other . '/uncached');
        }
        foreach ($items as $kilobytes => $uri) {
            $body = self::body($other . '/uncached' . $uri);
            file_put_contents($this->site->site->pages . "/current/static-{$kilobytes}", $body);
            $ladder->echo("echo-{$kilobytes}", $body);
            $forms = [
                'static' => "{$other}/static-{$kilobytes}",
                'hit' => $site . $uri,
                'echo' => "{$other}/echo-{$kilobytes}",
                'app' => $other . '/app' . $uri,
                'uncached' => $other . '/uncached' . $uri,
            ];
            foreach ($kilobytes === self::SMALLEST ? Ladder::INCLUDES : [] as $files) {
                $ladder->including("include-{$files}", $body, $files);
                $forms["include-{$files}"] = "{$other}/include-{$files}";
            }
            foreach ($forms as $form => $url) {
                if (self::body($url) !== $body || self::body($url) !== $body) {
                    throw ServerFailed::because("the page at {$url} is not the one of {$kilobytes} KB that it should be");
                }
                $urls["{$form}-{$kilobytes}"] = $url;
                $urls += $kilobytes === self::SMALLEST ? [$form => $url] : [];
            }
        }

        return $urls;
    }

    /** @return int id of an item whose page has exactly that many bytes */
    private function item(int $kilobytes, int $bytes, string $uncached): int
    {
        $database = $this->site->configuration->connect();
        $ledger = Pages::of($this->site->site)->ledger($database);
        $text = min(500, $bytes);
        $id = 0;
        for ($attempt = 0; $attempt < 4; ++$attempt) {
            $body = Ladder::text(max(1, $text));
            $database->beginTransaction();
            $change = $ledger->open();
            $database->run('DELETE FROM news WHERE id = ?', [$id]);
            $database->run("INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, 'bench', 'Bench')", ["{$kilobytes} KB", substr($body, 0, 20), $body]);
            $id = (int) $database->lastInsertId();
            $change->bulk('news');
            $ledger->change($change);
            $database->commit();
            $missing = $bytes - \strlen(self::body("{$uncached}/news/{$id}"));
            if ($missing === 0) {
                return $id;
            }
            $text += $missing;
        }
        throw ServerFailed::because("no item has a page of {$bytes} bytes");
    }

    private static function body(string $url): string
    {
        $answer = Wire::get($url);

        return $answer !== null && $answer['status'] === 200 ? $answer['body'] : throw ServerFailed::because(\sprintf('%s: %s', $url, $answer === null ? 'no answer' : 'status ' . $answer['status']));
    }

    private static function serverBlock(int $port, string $pages, string $socket, string $ladder): string
    {
        $application = \dirname(__DIR__, 3) . '/app/public/index.php';
        $script = Ladder::php($socket, $ladder . '$uri.php', ['REQUEST_URI' => '$request_uri']);
        $app = Ladder::php($socket, $application, ['REQUEST_URI' => '$1', 'LARDER_PAGE' => '']);
        $uncached = Ladder::php($socket, $application, ['REQUEST_URI' => '$1', 'LARDER_PAGE' => '', 'APP_CACHE' => 'off']);

        return <<<NGINX
            # For measuring only: the pages of the site, made in other ways.
            server {
                listen 127.0.0.1:{$port};
                location /static- {
                    root {$pages}/current;
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
