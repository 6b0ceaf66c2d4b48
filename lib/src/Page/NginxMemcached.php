<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The way from nginx to pages in memcached, with its modules srcache and memc. Nothing, for a site whose pages are
 * files.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxMemcached
{
    /** Where Debian has them. Its packages load them in every nginx.conf that includes modules-enabled. */
    private const MODULES = '/usr/lib/nginx/modules/';

    /** Debian's package by module, in the order in which nginx loads them. */
    public const PACKAGES = [
        'memc' => 'libnginx-mod-http-memc',
        'srcache_filter' => 'libnginx-mod-http-srcache-filter',
    ];

    /**
     * @param string $name  of the upstream of PHP; starts the names of variables and locations
     * @param string $place below which this site has locations that are no page's
     */
    public function __construct(
        private Site $site,
        private NginxTarget $target,
        private string $name,
        private string $place,
    ) {}

    public static function module(string $name): string
    {
        return self::MODULES . "ngx_http_{$name}_module.so";
    }

    /** For the top of an nginx.conf of its own. */
    public function modules(): string
    {
        $text = '';
        foreach ($this->isUsed() ? array_keys(self::PACKAGES) : [] as $module) {
            $text .= 'load_module ' . self::module($module) . ";\n";
        }

        return $text;
    }

    /** In place of what is for pages in files. */
    public function settings(): string
    {
        return "# A setting of the server does not count here: what a page needs is in Larder's Site, or in the page.\n"
            . "root /dev/null; # for a page that is not there\n"
            . "types {}\n"
            . "log_not_found off;\n\n"
            . "# A page brings its head along, with the ETag, and is compressed.\n"
            . "srcache_ignore_content_encoding on;\n"
            . "srcache_response_cache_control off;\n"
            . "gunzip on;\n"
            . "etag on;\nif_modified_since off;\n"
            . "gzip off;\ngzip_static off;\ngzip_vary off;\nssi off;\ncharset off;\nexpires off;\n"
            . "add_header Cache-Status \"larder; hit\" always;\n"
            . ($this->site->notes ? "add_header Server-Timing \"larder;desc=hit\";\n" : '')
            . NginxPhp::siteHeaders($this->site)
            . "\n# A file or PHP answers if there is no such page, and for methods but GET and HEAD.\n"
            . "recursive_error_pages on;\n";
    }

    /** @param string $key of the page, with nginx's variables */
    public function fetch(string $key): string
    {
        $prefix = MemcachedPageStore::prefix($this->site->name);

        return "srcache_fetch GET {$this->place}/page {$prefix}{$key};\n";
    }

    /**
     * @param string $state of StaleItems
     * @param string $key   of the page, with nginx's variables
     */
    public function fetchStale(string $state, string $key): string
    {
        $prefix = MemcachedPageStore::prefix($this->site->name);

        return "srcache_fetch GET {$this->place}/stale {$prefix}{$state}{$key};\n";
    }

    public function location(): string
    {
        if (!$this->isUsed()) {
            return '';
        }

        return "# A page out of memcached, for a key. The key's server or none: an old page may be on another one.\n"
            . $this->by('page', 'pages') . ($this->hasStale() ? $this->by('stale', 'stale') : '');
    }

    private function hasStale(): bool
    {
        return array_filter($this->site->areas, static fn(Area $area): bool => $area->stale !== null) !== [];
    }

    private function by(string $place, string $upstream): string
    {
        return ($this->site->guarded === null ? '' : "# For one that is out, the next one is asked: it has none.\n")
            . "location = {$this->place}/{$place} {\n"
            . NginxText::indented(
                "internal;\n"
                . "error_log {$this->target->log} crit; # each page that is being made would be a line\n"
                . "set \$memc_cmd get;\n"
                . "set \$memc_key \$args;\n"
                . $this->pass($upstream),
            )
            . "}\n\n";
    }

    /** @param string $key of a part: srcache reads nothing for an include */
    public function part(string $key): string
    {
        $prefix = MemcachedPageStore::prefix($this->site->name);

        return "set \$memc_cmd get;\nset \$memc_key {$prefix}{$key};\n" . $this->pass('pages');
    }

    private function pass(string $upstream): string
    {
        return "memc_cmds_allowed get;\n"
            . "memc_buffer_size 64k; # of a page at once: in small pieces a large one takes twice as long\n"
            . "memc_next_upstream off;\n"
            . "memc_connect_timeout 50ms;\n"
            . "memc_send_timeout 50ms;\n"
            . "memc_read_timeout 50ms;\n"
            . "memc_pass {$this->name}_{$upstream};\n";
    }

    private function isUsed(): bool
    {
        return $this->site->memcached !== [];
    }
}
