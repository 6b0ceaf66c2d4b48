<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * The site's nginx configuration. http() is for the http context and locations() for the site's own server block,
 * beside what else that has. server() is a server block for a site that has none, and whole() an nginx.conf.
 *
 * The text depends only on the arguments, and so does its hash(), which the loaded configuration tells at STATUS to who
 * asks from this machine. It gives the reasons beside the directives; docs/explanation/architecture.md describes the
 * way of a request.
 */
final readonly class NginxConfig
{
    /** Behind the path of the site. No page can have this URI. */
    public const STATUS = '/@larder';

    /** Asks php-fpm for a script that is not there, which it answers by itself: 404. */
    public const STATUS_OF_PHP = '/@larder/php';

    /** Headers that Larder or nginx sets. */
    private const RESERVED = [
        'accept-ranges', 'cache-control', 'cache-status', 'connection', 'content-encoding', 'content-length',
        'content-type', 'date', 'etag', 'last-modified', 'location', 'retry-after', 'set-cookie', 'transfer-encoding',
        'vary',
    ];

    /** Bytes of a name in the names of variables: nginx's table of them takes no name that is much longer. */
    private const LONGEST_NAME = 20;

    /** Starts the name of every variable, upstream and named location, so that sites can share one nginx. */
    private string $name;

    /** The same, as a variable. */
    private string $prefix;

    private NginxPhp $php;

    private NginxFollowed $followed;

    private NginxMemcached $memcached;

    private NginxContexts $contexts;

    private NginxStale $stale;

    private NginxEdge $edge;

    private NginxParts $parts;

    private NginxStatuses $statuses;

    /** @throws InvalidSite if nginx cannot take one of the site's hosts or headers */
    public function __construct(
        private Site $site,
        private NginxTarget $target,
    ) {
        if (preg_match('/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/D', $site->hosts[0]) !== 1) {
            throw InvalidSite::because(
                \sprintf('hosts: PHP gets the first one as SERVER_NAME; "%s" is not a plain name', $site->hosts[0]),
            );
        }
        foreach ($site->hosts as $host) {
            if (preg_match('/^(?:\*\.|\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:\.\*)?$/D', $host) !== 1) {
                throw InvalidSite::because(\sprintf('hosts: nginx does not take "%s" as a server name', $host));
            }
        }
        foreach (array_keys($site->headers) as $name) {
            if (\in_array(strtolower($name), self::RESERVED, true)) {
                throw InvalidSite::because(\sprintf('headers: only Larder or nginx sets "%s"', $name));
            }
        }
        // nginx takes the names of variables without regard to case. Two sites of one name here are refused by it.
        $this->name = 'larder_' . strtr(strtolower(substr($site->name, 0, self::LONGEST_NAME)), '-', '_');
        $this->prefix = '$' . $this->name . '_';
        $this->contexts = new NginxContexts($site->contexts, $this->name);
        $this->edge = new NginxEdge($site, $this->prefix);
        $place = rtrim($site->path, '/') . self::STATUS;
        $this->followed = new NginxFollowed($site, $this->name);
        $this->memcached = new NginxMemcached($site, $target, $this->name, $place);
        $this->stale = new NginxStale($site, $this->name, $this->memcached);
        $this->php = new NginxPhp($site, $target, $this->name, $this->stale->down());
        $this->parts = new NginxParts(
            $site,
            $this->php,
            $this->memcached,
            $this->name,
            $place,
            $this->contexts,
            $this->statuses = new NginxStatuses($site, $this->name, $this->followed),
            $this->followed,
        );
    }

    /**
     * For the http context: an upstream and maps. nginx evaluates a map when its variable is used: none for a hit
     * without query.
     */
    public function http(): string
    {
        return (new NginxTemplates($this->site, $this->target, $this->hash()))->text('http');
    }

    /** For the site's own server block. */
    public function locations(): string
    {
        return $this->blocks($this->hash());
    }

    /** A server block for the site, and one that hangs up on unknown hosts. */
    public function server(): string
    {
        return $this->serverOf($this->hash());
    }

    /** Of http() with locations(), or with server() if the target has addresses to listen at. */
    public function hash(): string
    {
        return hash(
            'xxh128',
            (new NginxTemplates($this->site, $this->target, ''))->text('http') . ($this->target->listen === [] ? $this->blocks('') : $this->serverOf('')),
        );
    }

    /**
     * An nginx.conf that any user can run: `nginx -p DIRECTORY -e DIRECTORY/nginx.log -c FILE`.
     *
     * @param string ...$more further blocks for the http context
     */
    public function whole(string ...$more): string
    {
        $directory = $this->target->directory;
        $temporary = '';
        foreach (['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'] as $kind) {
            $temporary .= "{$kind}_temp_path {$directory}/{$kind};\n";
        }

        return $this->memcached->modules()
            . ($this->target->user === null ? '' : "user {$this->target->user};\n")
            . "worker_processes auto;\nworker_rlimit_nofile 8192;\npcre_jit on;\n"
            . "pid {$directory}/nginx.pid;\nerror_log {$directory}/nginx.log warn;\n\n"
            . "events {\n    worker_connections 2048;\n}\n\n"
            . "http {\n"
            . NginxText::indented(
                $temporary
                . ($this->site->hitLog === null ? "access_log off;\n" : '')
                . "server_tokens off;\nsendfile on;\ntcp_nopush on;\n"
                . "keepalive_timeout 60s;\nkeepalive_requests 100000;\n"
                . "server_names_hash_bucket_size 128;\ntypes_hash_max_size 2048;\nvariables_hash_max_size 2048;\n\n"
                . implode("\n", [$this->http(), $this->server(), ...$more]),
            )
            . "}\n";
    }

    private function serverOf(string $hash): string
    {
        if ($this->target->listen === []) {
            throw InvalidSite::because('nginx needs an address to listen on');
        }
        $text = '';
        if ($this->target->defaultServer) {
            $text .= "# An unknown Host gets no answer, so that no page is made for an invented name.\n"
                . "server {\n" . NginxText::indented($this->listen(' default_server') . "server_name _;\nreturn 444;\n")
                    . "}\n\n";
        }

        return $text . "server {\n" . NginxText::indented(
            $this->listen('')
                . 'server_name ' . implode(' ', array_map(strtolower(...), $this->site->hosts)) . ";\n\n"
                . $this->blocks($hash),
        ) . "}\n";
    }

    private function blocks(string $hash): string
    {
        $path = rtrim($this->site->path, '/');
        $inner = $other = '';
        foreach ($this->site->areas as $number => $area) {
            if ($area->prefix !== $this->site->path) {
                foreach (['= ' . $area->prefix, $area->prefix . '/'] as $place) {
                    $inner .= "\n" . self::location($place, $this->area($area, $number));
                }
            }
            $other .= "\n" . self::location("@{$this->name}_other_{$number}", self::withoutReasons(
                $this->settings() . $this->onlyAnonymous($area) . $this->lookUp($area, $this->prefix . 'other')
                    . $this->next($area, $number, '_other_', $this->stale->way($number)),
            ));
        }
        $widest = \count($this->site->areas) - 1;
        $base = $this->area($this->site->areas[$widest], $widest);
        $text = "# Larder: {$this->site->name}, for its server block\n\n";
        if ($path === '') {
            $text .= "# Only nginx may name a time bucket.\n"
                . self::location('/@', $this->refusing() . "return 404;\n") . "\n";
        }
        $text .= self::location($path . '/', $this->settings() . "\n" . $base . $inner);
        if ($path !== '') {
            $text .= "\n" . self::location('= ' . $path, self::withoutReasons($this->settings() . $base));
        }
        $text .= "\n# The same for a URI with an escape or a query: its page has another name than nginx's own path.\n"
            . ltrim($other, "\n") . "\n"
            . $this->parts->shells(
                array_map($this->bucket(...), $this->site->areas),
                array_map($this->stale->way(...), array_keys($this->site->areas)),
            )
            . $this->parts->parts()
            . $this->statuses->locations(
                $this->settings(),
                array_map($this->stale->way(...), array_keys($this->site->areas)),
            )
            . $this->status($hash) . "\n"
            . $this->memcached->location()
            . $this->stale->locations($this->settings())
            . $this->php->locations($this->ignoresSessions());
        if ($this->target->public !== null) {
            $text .= "\n# Files that no page stands in front of. What else a visitor asks for is PHP's.\n"
                . self::location("@{$this->name}_files", StaticFiles::settings($this->target->public)
                    . NginxPhp::siteHeaders($this->site, '')
                    . "recursive_error_pages on;\nerror_page 403 404 405 = {$this->prefix}php;\n"
                    . "try_files {$this->prefix}file {$this->prefix}php;\n");
        }

        return $text;
    }

    private static function location(string $place, string $text): string
    {
        return "location {$place} {\n" . NginxText::indented($text) . "}\n";
    }

    /** For what is there more than once. */
    private static function withoutReasons(string $text): string
    {
        return (string) preg_replace(['/^#.*\n/m', '/^\n/m'], '', $text);
    }

    private function settings(): string
    {
        return match (true) {
            $this->site->pageStore !== null => $this->ofPhp(),
            $this->site->memcached !== [] => $this->memcached->settings(),
            default => $this->ofFiles(),
        };
    }

    private function ofPhp(): string
    {
        return "# Larder's Site has a page store of its own, which nginx does not know: each page is asked of PHP.\n"
            . "types {}\nlog_not_found off;\nrecursive_error_pages on;\n";
    }

    private function ofFiles(): string
    {
        return "# A setting of the server does not count here: what a page needs is in Larder's Site.\n"
            . "root {$this->followed->directory()}/current;\n"
            . "types {}\n\n"
            . "# A removed page must not be served again, so nginx may keep no descriptor of it.\n"
            . "open_file_cache off;\n"
            . "log_not_found off;\n"
            . "\n# Who can put a link here can put any page here. A look at each directory would cost a quarter of the"
            . " rate.\n"
            . "disable_symlinks off;\n\n"
            . "# A page's mtime is its generation and no date. It makes the ETag; Last-Modified is not used.\n"
            . "etag on;\n"
            . "if_modified_since off;\n"
            . "add_header Last-Modified \"\";\n"
            . "add_header Cache-Control \"no-cache\";\n"
            . "add_header Cache-Status \"larder; hit\";\n"
            . $this->edge->headers()
            . ($this->site->notes ? "add_header Server-Timing \"larder;desc=hit\";\n" : '')
            . NginxPhp::siteHeaders($this->site, '')
            . "\n# Clients that accept gzip get the compressed twin, HTTP/1.0 and proxies too. nginx changes nothing.\n"
            . "# Vary is set here: gzip_vary would look for the twin also for clients that do not accept gzip.\n"
            . "add_header Vary \"Accept-Encoding\";\n"
            . "gzip_static on;\ngzip_vary off;\ngzip_proxied any;\ngzip_http_version 1.0;\n"
            . "gzip off;\nssi off;\ncharset off;\nexpires off;\n\n"
            . "# A file or PHP answers if there is no such page or none to be read, and for methods but GET and HEAD.\n"
            . "recursive_error_pages on;\n";
    }

    private function listen(string $suffix): string
    {
        return implode(
            '',
            array_map(static fn(string $address): string => "listen {$address}{$suffix};\n", $this->target->listen),
        );
    }

    private function ignoresSessions(): bool
    {
        return array_filter($this->site->areas, static fn(Area $area): bool => $area->ignoreCookies) !== [];
    }

    private function area(Area $area, int $number): string
    {
        return "# Area {$area->prefix}, " . ($area->ttl === null ? 'exact' : "ttl {$area->ttl} s") . "\n"
            . "# The decoded path must equal the raw one: no query, no \"%\", no \"..\", no \"//\".\n"
            . "if (\$request_uri != \$uri) {\n    set {$this->prefix}path \$uri;\n"
            . "    return {$this->pass()};\n}\n"
            . $this->onlyAnonymous($area)
            . $this->lookUp($area, '$uri')
            . $this->next($area, $number, '_', "{$this->prefix}way_{$number}");
    }

    /** @param string $from of the locations that look for pages with parts. Of files, one is enough */
    private function next(Area $area, int $number, string $from, string $way): string
    {
        $shells = "@{$this->name}_shell" . ($this->site->memcached === [] ? '_' : $from) . $number;

        return $this->parts->next($area, $number, $shells, $way);
    }

    /** The status of a request that no page may answer. For 404, it is looked for elsewhere. */
    private function pass(): int
    {
        return $this->parts->isUsed() || $this->statuses->isUsed() ? 405 : 404;
    }

    /** nginx reads `if ($a$b)` as one variable named `a$b`, and `if ($a)` takes "0" for empty: so compare each. */
    private function onlyAnonymous(Area $area): string
    {
        $text = '';
        foreach ([...($area->ignoreCookies ? [] : $this->sessions()), '$http_authorization'] as $variable) {
            $text .= "if ({$variable} != \"\") { return {$this->pass()}; }\n";
        }

        return $text . $this->followed->test($this->pass());
    }

    /** @return list<string> variables that are not empty for a visitor with a session */
    private function sessions(): array
    {
        $plain = array_values(array_filter($this->site->sessionCookies, self::isPlain(...)));

        return [
            ...array_map(static fn(string $name): string => '$cookie_' . $name, $plain),
            ...($this->cookies() === null ? [] : [$this->prefix . 'cookies']),
        ];
    }

    /** @return string|null finds cookies whose names no variable of nginx can have, in the way of nginx; null: none */
    private function cookies(): ?string
    {
        $names = array_map(
            static fn(string $name): string => str_ends_with($name, '*')
                ? preg_quote(substr($name, 0, -1)) . '[^=;,\x20]*'
                : preg_quote($name),
            array_values(array_filter(
                $this->site->sessionCookies,
                static fn(string $name): bool => !self::isPlain($name),
            )),
        );

        return $names === [] ? null : '(?i)(?:^|[;,])\x20*(?:' . implode('|', $names) . ')\x20*=\x20*[^;\x20]';
    }

    private static function isPlain(string $name): bool
    {
        return preg_match('/^[A-Za-z0-9_]+$/D', $name) === 1;
    }

    /** An alias would not find `/` and `/news/`, so this is a rewrite. No form is faster. */
    private function lookUp(Area $area, string $uri): string
    {
        if ($this->site->pageStore !== null) {
            return "return 404;\n";
        }
        $bucket = $this->bucket($area);
        if ($this->site->memcached !== []) {
            return $this->memcached->fetch($bucket . $uri);
        }

        return 'default_type ' . NginxText::literal($area->type) . ";\n"
            . 'rewrite ^ ' . $bucket . $uri . PagePath::SUFFIX . " break;\n";
    }

    private function bucket(Area $area): string
    {
        return $area->ttl === null ? '' : "/@{$this->prefix}bucket_{$area->ttl}";
    }

    private function refusing(): string
    {
        return "error_page 404 = @{$this->name}_bypass;\n";
    }

    private function status(string $hash): string
    {
        $path = rtrim($this->site->path, '/');
        $refuse = $this->refusing() . "if ({$this->prefix}remote != \"\") { return 404; }\n";
        $told = json_encode(
            [
                'site' => $this->site->name,
                'config' => $hash,
                'http' => $this->prefix . 'http',
                'pid' => '$pid',
                ...($this->site->contexts === null ? [] : ['context' => $this->prefix . 'context']),
                ...$this->target->described(),
            ],
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES,
        );

        return "# For larder doctor: which configuration is loaded, and whether php-fpm answers.\n"
            . self::location(
                '= ' . $path . self::STATUS,
                $refuse . $this->contexts->settings()
                    . "default_type application/json;\nadd_header Cache-Control \"no-store\";\n"
                    . "add_header Larder-Configuration \"{$hash}\";\n"
                    . "add_header Larder-Configuration-Http {$this->prefix}http; # another one: include both anew\n"
                    . "return 200 '{$told}';\n",
            )
            . self::location('= ' . $path . self::STATUS_OF_PHP, $refuse . $this->php->ping());
    }
}
