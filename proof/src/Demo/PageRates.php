<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Closure;
use Larder\Page\PagePath;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Load\Wrk;
use Larder\Testbed\Load\WrkReport;
use Larder\Testbed\Site\RunningSite;
use RuntimeException;

/**
 * Requests per second of one page in six forms, on the same nginx: a plain file of the same bytes and headers (the
 * ceiling), the page from the page store, its 304, the site without stored pages but with its values from the cache,
 * the site without cache, and PHP that only echoes (PHP's floor).
 *
 * The first three forms run in alternating blocks, so that what disturbs the machine disturbs them alike, and are
 * compared within a round. While wrk counts, a verifier beside it checks the bodies.
 *
 * The ceiling's file lies beside the page, in the same directory of the page store: a path that is longer or leads
 * through a link costs nginx as much for any file.
 *
 * @phpstan-type Measured array{rows: array<array-key, array{rate: float, p50: int, p99: int, max: int, requests: int}>,
 *     over_static: Median, over_uncached: Median, php_requests: int, checked: int, wrong: int, bytes: int}
 */
final readonly class PageRates
{
    public const HOST = 'measure.localhost';

    /** The same site without stored pages: rows and lists come out of the cache. */
    private const OBJECTS = 'objects.localhost';

    private const STATIC_FILE = '/news/static-file';

    /** Checks of a body per second of a block. */
    private const CHECKS = 10;

    /** They stay open. */
    private const CONNECTIONS = 50;

    private Wrk $wrk;

    /** @param Closure(string): void $progress */
    public function __construct(
        private RunningSite $running,
        string $directory,
        private string $pages,
        private string $uri,
        private Closure $progress,
    ) {
        $this->wrk = new Wrk($directory);
    }

    /** The server block of the forms that are not the site's own; $directory holds echo.php. */
    public static function serverBlock(
        int $port,
        string $pages,
        string $directory,
        string $socket,
        string $script,
    ): string {
        $host = self::HOST;
        $objects = self::OBJECTS;
        $static = self::STATIC_FILE;
        $fastcgi = "include /etc/nginx/fastcgi_params;\n        fastcgi_pass unix:{$socket};\n        fastcgi_param "
            . "HTTP_PROXY \"\";\n        fastcgi_param LARDER_PAGE \"\";";

        return <<<NGINX
            # For measuring only: a file of the page's bytes and headers, PHP's floor, and the site without cache.
            server {
                listen 127.0.0.1:{$port};
                server_name {$host};
                location = {$static} {
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
                location = /echo {
                    {$fastcgi}
                    fastcgi_param SCRIPT_FILENAME {$directory}/echo.php;
                }
                location / {
                    {$fastcgi}
                    fastcgi_param APP_CACHE off;
                    fastcgi_param SCRIPT_FILENAME {$script};
                }
            }
            server {
                listen 127.0.0.1:{$port};
                server_name {$objects};
                location / {
                    {$fastcgi}
                    fastcgi_param APP_PAGES_CACHE off;
                    fastcgi_param SCRIPT_FILENAME {$script};
                }
            }

            NGINX;
    }

    /** @return Measured */
    public function measure(int $rounds, float $seconds): array
    {
        $site = new Connection('127.0.0.1:' . $this->running->port);
        $site->request($this->uri);
        $page = $site->request($this->uri) ?? throw new RuntimeException('The site does not answer.');
        if ($page->header('Cache-Status') !== 'larder; hit') {
            throw new RuntimeException(
                \sprintf('%s is no page hit: %s', $this->uri, $page->header('Cache-Status') ?? 'no Cache-Status'),
            );
        }
        file_put_contents($this->pages . '/current' . self::STATIC_FILE, $page->body);
        touch(
            $this->pages . '/current' . self::STATIC_FILE,
            (int) filemtime($this->pages . '/current' . $this->uri . PagePath::SUFFIX),
        );
        $this->mustAgree($page);
        if ((
            (new Connection('127.0.0.1:' . $this->running->port, self::OBJECTS))->request($this->uri)?->body
        ) !== $page->body) {
            throw new RuntimeException('The site without stored pages has another page.');
        }

        $forms = [
            'static file' => [self::STATIC_FILE, true],
            'page hit' => [$this->uri, false],
            'uncached site' => [$this->uri, true],
        ];
        $runs = array_fill_keys([...array_keys($forms), 'object cache only', '304 of the page', 'PHP echo'], []);
        $php = $checked = $wrong = 0;
        for ($round = 0; $round < $rounds; ++$round) {
            foreach (self::rotated(array_keys($forms), $round) as $form) {
                ($this->progress)(\sprintf('round %d of %d: %s', $round + 1, $rounds, $form));
                [$uri, $measured] = $forms[$form];
                $before = $this->settled();
                $verifier = $form === 'uncached site'
                    ? null
                    : new Verifier(
                        $this->running->port,
                        $uri,
                        $measured ? self::HOST : 'localhost',
                        $page->body,
                        self::CHECKS,
                    );
                $runs[$form][] = $run = $this->run($uri, $seconds, $measured ? ['Host: ' . self::HOST] : []);
                if ($form !== 'uncached site') {
                    $this->mustBeExact($run, $page->length);
                }
                [$good, $bad] = $verifier?->stop() ?? [0, 0];
                $checked += $good;
                $wrong += $bad;
                $php += $form === 'page hit' ? $this->running->php->requests() - $before : 0;
            }
        }
        foreach (range(1, 3) as $round) {
            ($this->progress)(\sprintf('object cache, 304 and echo, round %d of 3', $round));
            $runs['object cache only'][] = $this->run($this->uri, $seconds, ['Host: ' . self::OBJECTS]);
            $runs['304 of the page'][] = $this->run($this->uri, $seconds, ['If-None-Match: ' . $page->header('ETag')]);
            $runs['PHP echo'][] = $this->run('/echo', $seconds, ['Host: ' . self::HOST]);
        }

        return [
            'rows' => array_map(self::row(...), $runs),
            'over_static' => self::ratio($runs['page hit'], $runs['static file']),
            'over_uncached' => self::ratio($runs['page hit'], $runs['uncached site']),
            'php_requests' => $php,
            'checked' => $checked,
            'wrong' => $wrong,
            'bytes' => \strlen($page->body),
        ];
    }

    /** The ceiling must send what a hit sends, or it is no ceiling of it. */
    private function mustAgree(Response $page): void
    {
        $static = (new Connection('127.0.0.1:' . $this->running->port, self::HOST))->request(self::STATIC_FILE)
            ?? throw new RuntimeException('The static file does not answer.');
        $differing = array_filter(
            $page->headers + $static->headers,
            static fn(string $value, string $name): bool => $name !== 'date'
                && ($static->headers[$name] ?? null) !== ($page->headers[$name] ?? null),
            ARRAY_FILTER_USE_BOTH,
        );
        if ($static->body !== $page->body || $static->length !== $page->length || $differing !== []) {
            throw new RuntimeException('The static file and the page hit differ: ' . json_encode($differing));
        }
    }

    /** @return int requests of php-fpm, once the answers that nobody waits for any more are through */
    private function settled(): int
    {
        do {
            $requests = $this->running->php->requests();
            usleep(300_000);
        } while ($requests !== $this->running->php->requests());

        return $requests;
    }

    /** Every answer has the same bytes, so their sum is known but for the answers that the end of the run cut off. */
    private function mustBeExact(WrkReport $run, int $length): void
    {
        if (abs($run->bytes - $run->requests * $length) > self::CONNECTIONS * $length) {
            throw new RuntimeException(
                \sprintf(
                    '%d answers of %d bytes each cannot be the %d bytes that wrk received',
                    $run->requests,
                    $length,
                    $run->bytes,
                ),
            );
        }
    }

    /** @param list<string> $headers */
    private function run(string $uri, float $seconds, array $headers): WrkReport
    {
        $result = $this->wrk->flood(
            'http://127.0.0.1:' . $this->running->port . $uri,
            self::CONNECTIONS,
            $seconds,
            $headers,
        );
        if ($result->broken > 0 || $result->refused > 0 || $result->requests === 0) {
            throw new RuntimeException(
                \sprintf(
                    '%s: %d broken connections and %d failed answers among %d',
                    $uri,
                    $result->broken,
                    $result->refused,
                    $result->requests,
                ),
            );
        }

        return $result;
    }

    /**
     * @param list<string> $forms
     *
     * @return list<string>
     */
    private static function rotated(array $forms, int $round): array
    {
        $by = $round % \count($forms);

        return [...\array_slice($forms, $by), ...\array_slice($forms, 0, $by)];
    }

    /**
     * @param list<WrkReport> $runs
     *
     * @return array{rate: float, p50: int, p99: int, max: int, requests: int}
     */
    private static function row(array $runs): array
    {
        $latency = static fn(float $share): int => (int) Median::of(array_map(
            static fn(WrkReport $run): float => (float) $run->percentile($share),
            $runs,
        ))->value;

        return [
            'rate' => Median::of(array_map(static fn(WrkReport $run): float => $run->requestRate(), $runs))->value,
            'p50' => $latency(0.5),
            'p99' => $latency(0.99),
            'max' => $latency(1.0),
            'requests' => array_sum(array_map(static fn(WrkReport $run): int => $run->requests, $runs)),
        ];
    }

    /**
     * @param list<WrkReport> $one
     * @param list<WrkReport> $other
     */
    private static function ratio(array $one, array $other): Median
    {
        return Median::of(
            array_map(
                static fn(WrkReport $a, WrkReport $b): float => $a->requestRate() / $b->requestRate(),
                $one,
                $other,
            ),
        );
    }
}
