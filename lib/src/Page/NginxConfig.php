<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * The site's nginx configuration: http() and server() for an nginx that has other sites too, whole() for one without.
 *
 * The text depends only on the arguments and on the names of the files in the public directory, and so does its hash(),
 * which the loaded configuration tells at STATUS to who asks from this machine. It gives the reasons beside the
 * directives; docs/explanation/architecture.md describes the way of a request.
 */
final readonly class NginxConfig
{
    /** Below the prefix that only nginx may use, so no page and no file of the site can have this URI. */
    public const STATUS = '/@larder';

    /** Asks php-fpm for a script that is not there, which it answers by itself: 404. */
    public const STATUS_OF_PHP = '/@larder/php';

    /** Headers that Larder or nginx sets. */
    private const RESERVED = [
        'accept-ranges', 'cache-control', 'cache-status', 'connection', 'content-encoding', 'content-length',
        'content-type', 'date', 'etag', 'last-modified', 'location', 'retry-after', 'set-cookie', 'transfer-encoding',
        'vary',
    ];

    /** Starts the name of every variable, so that two sites can share one nginx. */
    private string $prefix;

    private NginxPhp $php;

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
        $this->prefix = '$larder_' . strtr($site->name, '-', '_') . '_';
        $this->php = new NginxPhp($site, $target, $this->prefix . 'page', $this->prefix . 'encoding');
    }

    /**
     * Map blocks for the http context. nginx evaluates a map when its variable is used: none for a hit without query.
     */
    public function http(): string
    {
        $variable = $this->prefix;
        $queries = ['default' => '""'];
        foreach ($this->site->queries as $query) {
            $queries[NginxText::expression($query->expression())] = '$request_uri';
        }
        $asker = '"$request_method:$cookie_' . $this->site->sessionCookie . '$http_authorization"';
        $text = "# Larder: {$this->site->name}\n\n"
            . "# The canonical queries.\n"
            . NginxText::map('$request_uri', $variable . 'query', $queries)
            . "\n# URIs that can be a page: no escapes, no \"..\", no \"//\", no hidden names, at most "
                . PagePath::LONGEST . " bytes.\n"
            . NginxText::map('$request_uri', $variable . 'canonical', [
                'default' => $variable . 'query',
                NginxText::expression(
                    '^(?=.{1,' . PagePath::LONGEST . '}$)' . PagePath::CANONICAL . '$',
                ) => '$request_uri',
            ])
            . "\n# Requests that can make a page: a GET without a session.\n"
            . NginxText::map($asker, $variable . 'asker', ['default' => '""', '"GET:"' => '"GET:"'])
            . $this->buckets()
            . "\n# The page's key, which is made only here. If it is empty, nothing can be stored.\n"
            . NginxText::map('"' . $variable . 'asker' . $variable . 'canonical"', $variable . 'page', $this->keys())
            . "\n# The location for a request that no page answers.\n"
            . NginxText::map(
                $variable . 'page',
                $variable . 'way',
                ['""' => '@larder_bypass', 'default' => '@larder_keyed'],
            );
        foreach (array_keys($this->queryAreas()) as $number) {
            $cases = ['""' => $variable . 'way', 'default' => '@larder_query_' . $number];
            $text .= NginxText::map($variable . 'query', $variable . 'way_' . $number, $cases);
        }

        $encodings = ['default' => '""'];
        foreach (PageRequest::ENCODINGS as $expression => $word) {
            $encodings[NginxText::expression($expression)] = '"' . $word . '"';
        }
        $text .= "\n# All that PHP gets of Accept-Encoding.\n"
            . NginxText::map('$http_accept_encoding', $variable . 'encoding', $encodings);

        return $text . "\n# Who asks not from this machine, or by a proxy.\n"
            . NginxText::map(
                '"$remote_addr$http_x_forwarded_for$http_forwarded$http_via"',
                $variable . 'remote',
                ['default' => '"1"', '"127.0.0.1"' => '""', '"::1"' => '""', '"unix:"' => '""'],
            );
    }

    public function server(): string
    {
        return $this->printed($this->hash());
    }

    /** Of what http() and server() print. */
    public function hash(): string
    {
        return hash('xxh128', $this->http() . $this->printed(''));
    }

    private function printed(string $hash): string
    {
        $text = '';
        if ($this->target->defaultServer) {
            $text .= "# An unknown Host gets no answer, so that no page is made for an invented name.\n"
                . "server {\n" . NginxText::indented($this->listen(' default_server') . "server_name _;\nreturn 444;\n")
                    . "}\n\n";
        }
        $blocks = [$this->settings(), "# Only nginx may name a time bucket.\nlocation /@ {\n    return 404;\n}\n"];
        foreach ($this->site->areas as $number => $area) {
            $blocks[] = $this->area($area, $number);
        }
        foreach ($this->queryAreas() as $number => $area) {
            $blocks[] = "# Canonical queries on the area {$area->prefix}\nlocation @larder_query_{$number} {\n"
                . NginxText::indented(
                    $this->onlyAnonymous()
                    . $this->lookUp($area, '$request_uri')
                    . "error_page 403 404 405 500 = {$this->prefix}way;\n",
                )
                . "}\n";
        }
        $blocks[] = $this->status($hash);
        $blocks[] = $this->php->locations();
        $blocks[] = $this->staticFiles();

        $blocks = array_filter($blocks, static fn(string $block): bool => $block !== '');

        return $text . "server {\n" . NginxText::indented(implode("\n", $blocks)) . "}\n";
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

        return ($this->target->user === null ? '' : "user {$this->target->user};\n")
            . "worker_processes auto;\nworker_rlimit_nofile 8192;\npcre_jit on;\n"
            . "pid {$directory}/nginx.pid;\nerror_log {$directory}/nginx.log warn;\n\n"
            . "events {\n    worker_connections 2048;\n}\n\n"
            . "http {\n"
            . NginxText::indented(
                $temporary
                . "access_log off;\nserver_tokens off;\nsendfile on;\ntcp_nopush on;\n"
                . "keepalive_timeout 60s;\nkeepalive_requests 100000;\n"
                . "server_names_hash_bucket_size 128;\ntypes_hash_max_size 2048;\n\n"
                . implode("\n", [$this->http(), $this->server(), ...$more]),
            )
            . "}\n";
    }

    private function settings(): string
    {
        return $this->listen('')
            . 'server_name ' . implode(' ', array_map(strtolower(...), $this->site->hosts)) . ";\n\n"
            . "# These settings are for hits. The locations of PHP and of static files have their own.\n"
            . "root {$this->site->pages}/current;\n"
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
            . NginxPhp::siteHeaders($this->site, '')
            . "\n# Clients that accept gzip get the compressed twin, HTTP/1.0 and proxies too. nginx changes nothing.\n"
            . "# Vary is set here: gzip_vary would look for the twin also for clients that do not accept gzip.\n"
            . "add_header Vary \"Accept-Encoding\";\n"
            . "gzip_static on;\ngzip_vary off;\ngzip_proxied any;\ngzip_http_version 1.0;\n"
            . "gzip off;\nssi off;\ncharset off;\nexpires off;\n\n"
            . "# PHP answers if there is no such page, if it cannot be read, and for methods but GET and HEAD.\n"
            . "recursive_error_pages on;\n"
            . "error_page 403 404 405 500 = {$this->prefix}way;\n";
    }

    private function listen(string $suffix): string
    {
        return implode(
            '',
            array_map(static fn(string $address): string => "listen {$address}{$suffix};\n", $this->target->listen),
        );
    }

    private function area(Area $area, int $number): string
    {
        $hit = "# The decoded path must equal the raw one: no query, no \"%\", no \"..\", no \"//\".\n"
            . "if (\$request_uri != \$uri) { return 404; }\n"
            . $this->onlyAnonymous()
            . $this->lookUp($area, '$uri')
            . ($this->site->queries === [] ? '' : "error_page 403 404 405 500 = {$this->prefix}way_{$number};\n");
        $locations = $area->prefix === '/' ? ['/'] : ['= ' . $area->prefix, $area->prefix . '/'];
        $text = "# Area {$area->prefix}, " . ($area->ttl === null ? 'exact' : "ttl {$area->ttl} s") . "\n";
        foreach ($locations as $location) {
            $text .= "location {$location} {\n" . NginxText::indented($hit) . "}\n";
        }

        return $text;
    }

    /** nginx reads `if ($a$b)` as one variable named `a$b`, and `if ($a)` takes "0" for empty: so two comparisons. */
    private function onlyAnonymous(): string
    {
        return "if (\$cookie_{$this->site->sessionCookie} != \"\") { return 404; }\n"
            . "if (\$http_authorization != \"\") { return 404; }\n";
    }

    /** An alias would not find `/` and `/news/`, so this is a rewrite. No form is faster. */
    private function lookUp(Area $area, string $uri): string
    {
        $bucket = $area->ttl === null ? '' : "/@{$this->prefix}bucket_{$area->ttl}";

        return 'default_type ' . NginxText::literal($area->type) . ";\n"
            . 'rewrite ^ ' . $bucket . $uri . PagePath::SUFFIX . " break;\n";
    }

    private function buckets(): string
    {
        $ttls = array_map(static fn(Area $area): ?int => $area->ttl, $this->site->areas);
        $ttls = array_unique(array_filter($ttls, static fn(?int $ttl): bool => $ttl !== null));
        sort($ttls);
        $text = '';
        foreach ($ttls as $ttl) {
            $cases = [];
            foreach ((new TimeBucket($ttl))->patterns() as $pattern => $bucket) {
                $cases[NginxText::expression($pattern)] = '"' . $bucket . '"';
            }
            $text .= "\n# The clock in spans of {$ttl} s. A map has one value during a request: nginx and PHP use one "
                . "bucket.\n"
                . NginxText::map('$time_iso8601', "{$this->prefix}bucket_{$ttl}", $cases);
        }

        return $text;
    }

    /** @return array<string, string> */
    private function keys(): array
    {
        $keys = ['default' => '""'];
        foreach ($this->site->areas as $area) {
            $path = $area->prefix === '/' ? '/' : preg_quote($area->prefix) . '(?:[/?]|$)';
            $keys[NginxText::expression('^GET:' . $path)] = $area->ttl === null
                ? '$request_uri'
                : "\"/@{$this->prefix}bucket_{$area->ttl}\$request_uri\"";
        }

        return $keys;
    }

    /** @return array<int, Area> the areas that have pages with a query */
    private function queryAreas(): array
    {
        return $this->site->queries === [] ? [] : $this->site->areas;
    }

    private function status(string $hash): string
    {
        $refuse = "if ({$this->prefix}remote != \"\") { return 404; }\n";
        $told = json_encode(
            ['site' => $this->site->name, 'config' => $hash, ...$this->target->described()],
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES,
        );

        return "# For larder doctor: which configuration is loaded, and whether php-fpm answers.\n"
            . 'location = ' . self::STATUS . " {\n"
            . NginxText::indented(
                $refuse . "default_type application/json;\nadd_header Cache-Control \"no-store\";\n"
                    . "return 200 '{$told}';\n",
            )
            . "}\n"
            . 'location = ' . self::STATUS_OF_PHP . " {\n"
            . NginxText::indented($refuse . $this->php->ping())
            . "}\n";
    }

    private function staticFiles(): string
    {
        if ($this->target->public === null) {
            return '';
        }
        $text = '';
        foreach ((new StaticFiles($this->target->public))->types() as $uri => $type) {
            $text .= "location = {$uri} {\n"
                . NginxText::indented(
                    "root {$this->target->public};\nif_modified_since exact;\n"
                    . 'default_type ' . NginxText::literal($type) . ";\n"
                    . "add_header Cache-Control \"no-cache\";\n" . NginxPhp::siteHeaders($this->site, ''),
                )
                . "}\n";
        }

        return $text === '' ? '' : "# Files, each by its name\n" . $text;
    }
}
