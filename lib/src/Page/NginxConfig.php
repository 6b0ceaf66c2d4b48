<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\InvalidSite;

/**
 * The site as nginx configuration: http() and server() for a server that has other sites too, whole() for one that has not.
 *
 * The text depends on the arguments and on the names of the files in the public directory, on nothing else.
 * The reasons stand beside the directives; docs/explanation/architecture.md has the way of a request.
 */
final readonly class NginxConfig
{
    /** What a hit must say for validation to work, or what nginx says by itself. */
    private const OURS = [
        'accept-ranges', 'cache-control', 'cache-status', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'etag',
        'last-modified', 'location', 'retry-after', 'set-cookie', 'transfer-encoding', 'vary',
    ];

    /** Before every variable of this site, so that two sites can share one nginx. */
    private string $prefix;

    private NginxPhp $php;

    /** @throws InvalidSite if the site has a host or a header that nginx cannot be given */
    public function __construct(
        private Site $site,
        private NginxTarget $target,
    ) {
        if (preg_match('/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/D', $site->hosts[0]) !== 1) {
            throw InvalidSite::because(\sprintf('hosts: the first one is what PHP is told as SERVER_NAME; "%s" is not a plain name', $site->hosts[0]));
        }
        foreach ($site->hosts as $host) {
            if (preg_match('/^(?:\*\.|\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:\.\*)?$/D', $host) !== 1) {
                throw InvalidSite::because(\sprintf('hosts: nginx would not take "%s" for a server name', $host));
            }
        }
        foreach (array_keys($site->headers) as $name) {
            if (\in_array(strtolower($name), self::OURS, true)) {
                throw InvalidSite::because(\sprintf('headers: "%s" is Larder\'s or nginx\'s to say', $name));
            }
        }
        $this->prefix = '$larder_' . strtr($site->name, '-', '_') . '_';
        $this->php = new NginxPhp($site, $target, $this->prefix . 'page');
    }

    /** Map blocks for the http context. nginx looks at a map when its variable is used and at no other time: for a hit without a query, none. */
    public function http(): string
    {
        $variable = $this->prefix;
        $queries = ['default' => '""'];
        foreach ($this->site->queries as $query) {
            $queries[NginxText::expression($query->expression())] = '$request_uri';
        }
        $text = "# Larder: {$this->site->name}\n\n"
            . "# The canonical queries.\n"
            . NginxText::map('$request_uri', $variable . 'query', $queries)
            . "\n# URIs that can be a page: no escapes, no \"..\", no \"//\", no hidden names, at most " . PagePath::LONGEST . " bytes.\n"
            . NginxText::map('$request_uri', $variable . 'canonical', [
                'default' => $variable . 'query',
                NginxText::expression('^(?=.{1,' . PagePath::LONGEST . '}$)' . PagePath::CANONICAL . '$') => '$request_uri',
            ])
            . "\n# Requests that can make a page: a GET of somebody without a session.\n"
            . NginxText::map('"$request_method:$cookie_' . $this->site->sessionCookie . '$http_authorization"', $variable . 'asker', ['default' => '""', '"GET:"' => '"GET:"'])
            . $this->buckets()
            . "\n# The page's key, made here and nowhere else; empty: nothing can be stored.\n"
            . NginxText::map('"' . $variable . 'asker' . $variable . 'canonical"', $variable . 'page', $this->keys())
            . "\n# The way of a request that no page answers.\n"
            . NginxText::map($variable . 'page', $variable . 'way', ['""' => '@larder_bypass', 'default' => '@larder_keyed']);
        foreach (array_keys($this->queryAreas()) as $number) {
            $text .= NginxText::map($variable . 'query', $variable . 'way_' . $number, ['""' => $variable . 'way', 'default' => '@larder_query_' . $number]);
        }

        return $text;
    }

    public function server(): string
    {
        $text = '';
        if ($this->target->defaultServer) {
            $text .= "# A host that is not ours, or none: no answer, and no page made under a made-up name.\n"
                . "server {\n" . NginxText::indented($this->listen(' default_server') . "server_name _;\nreturn 444;\n") . "}\n\n";
        }
        $blocks = [$this->settings(), "# Time buckets are nginx's, not the client's.\nlocation /@ {\n    return 404;\n}\n"];
        foreach ($this->site->areas as $number => $area) {
            $blocks[] = $this->area($area, $number);
        }
        foreach ($this->queryAreas() as $number => $area) {
            $blocks[] = "# Canonical queries on the area {$area->prefix}\nlocation @larder_query_{$number} {\n"
                . NginxText::indented($this->onlyAnonymous() . $this->lookUp($area, '$request_uri') . "error_page 403 404 405 500 = {$this->prefix}way;\n") . "}\n";
        }
        $blocks[] = $this->php->locations();
        $blocks[] = $this->staticFiles();

        return $text . "server {\n" . NginxText::indented(implode("\n", array_filter($blocks, static fn(string $block): bool => $block !== ''))) . "}\n";
    }

    /**
     * A whole nginx.conf that any user can run: `nginx -p DIRECTORY -e DIRECTORY/nginx.log -c FILE`.
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
            . "worker_processes auto;\nworker_rlimit_nofile 8192;\npcre_jit on;\npid {$directory}/nginx.pid;\nerror_log {$directory}/nginx.log warn;\n\n"
            . "events {\n    worker_connections 2048;\n}\n\n"
            . "http {\n"
            . NginxText::indented(
                $temporary
                . "access_log off;\nserver_tokens off;\nsendfile on;\ntcp_nopush on;\nkeepalive_timeout 60s;\nkeepalive_requests 100000;\n"
                . "server_names_hash_bucket_size 128;\ntypes_hash_max_size 2048;\n\n"
                . implode("\n", [$this->http(), $this->server(), ...$more]),
            )
            . "}\n";
    }

    private function settings(): string
    {
        return $this->listen('')
            . 'server_name ' . implode(' ', array_map(strtolower(...), $this->site->hosts)) . ";\n\n"
            . "# What follows is for hits; the locations of PHP and of static files say their own.\n"
            . "root {$this->site->pages}/current;\n"
            . "types {}\n\n"
            . "# An unlinked page must be gone at once: no descriptor of it may be kept.\n"
            . "open_file_cache off;\n"
            . "log_not_found off;\n"
            . "disable_symlinks off;\n\n"
            . "# A file's mtime is its generation, not a date: it makes the ETag, and no Last-Modified leaves or is believed.\n"
            . "etag on;\n"
            . "if_modified_since off;\n"
            . "add_header Last-Modified \"\";\n"
            . "add_header Cache-Control \"no-cache\";\n"
            . "add_header Cache-Status \"larder; hit\";\n"
            . NginxPhp::siteHeaders($this->site, '')
            . "\n# The compressed twin answers whoever takes it, proxies and HTTP/1.0 too. Nothing is compressed or changed on the way.\n"
            . "# Vary is said here and not by gzip_vary, which would look for the twin on behalf of clients that do not take it.\n"
            . "add_header Vary \"Accept-Encoding\";\n"
            . "gzip_static on;\ngzip_vary off;\ngzip_proxied any;\ngzip_http_version 1.0;\n"
            . "gzip off;\nssi off;\ncharset off;\nexpires off;\n\n"
            . "# No such page, a method other than GET and HEAD, a page that cannot be read: PHP answers.\n"
            . "recursive_error_pages on;\n"
            . "error_page 403 404 405 500 = {$this->prefix}way;\n";
    }

    private function listen(string $suffix): string
    {
        return implode('', array_map(static fn(string $address): string => "listen {$address}{$suffix};\n", $this->target->listen));
    }

    private function area(Area $area, int $number): string
    {
        $hit = "# nginx's own reading of the path must be the raw one: no query, no \"%\", no \"..\", no \"//\".\n"
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

    /** Two conditions, each with one variable: nginx takes `if ($a$b)` for a variable named `a$b`, and `if ($a)` takes "0" for nothing. */
    private function onlyAnonymous(): string
    {
        return "if (\$cookie_{$this->site->sessionCookie} != \"\") { return 404; }\n"
            . "if (\$http_authorization != \"\") { return 404; }\n";
    }

    /** A rewrite rather than an alias: no other form finds `/` and `/news/` as well, and none is faster. */
    private function lookUp(Area $area, string $uri): string
    {
        return 'default_type ' . NginxText::literal($area->type) . ";\n"
            . 'rewrite ^ ' . ($area->ttl === null ? '' : "/@{$this->prefix}bucket_{$area->ttl}") . $uri . PagePath::SUFFIX . " break;\n";
    }

    private function buckets(): string
    {
        $ttls = array_unique(array_filter(array_map(static fn(Area $area): ?int => $area->ttl, $this->site->areas), static fn(?int $ttl): bool => $ttl !== null));
        sort($ttls);
        $text = '';
        foreach ($ttls as $ttl) {
            $cases = [];
            foreach ((new TimeBucket($ttl))->patterns() as $pattern => $bucket) {
                $cases[NginxText::expression($pattern)] = '"' . $bucket . '"';
            }
            $text .= "\n# The clock in stretches of {$ttl} s. A map has one value for the whole of a request: where nginx looked is what PHP is told.\n"
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
            $keys[NginxText::expression('^GET:' . $path)] = $area->ttl === null ? '$request_uri' : "\"/@{$this->prefix}bucket_{$area->ttl}\$request_uri\"";
        }

        return $keys;
    }

    /** @return array<int, Area> that a canonical query may lie in */
    private function queryAreas(): array
    {
        return $this->site->queries === [] ? [] : $this->site->areas;
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
                    "root {$this->target->public};\nif_modified_since exact;\ndefault_type " . NginxText::literal($type) . ";\n"
                    . "add_header Cache-Control \"no-cache\";\n" . NginxPhp::siteHeaders($this->site, ''),
                )
                . "}\n";
        }

        return $text === '' ? '' : "# Files, each by its name\n" . $text;
    }
}
