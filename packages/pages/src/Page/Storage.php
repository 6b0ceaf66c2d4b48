<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;

/** Where the pages of a site are kept. Without arguments they are files in Site::$pages, for one web server. */
final readonly class Storage
{
    /**
     * @param list<string> $memcached servers for the pages, which have nothing else: `10.0.0.1:11211` or
     *     `unix:/run/pages.sock`. All web servers name the same in the same order. Then Site::$pages has only what
     *     belongs to this host. Empty: the pages are files there, for one host
     * @param string|null $guard absolute directory in which `larder guard` says which memcached servers are out; nginx
     *     includes its file, so it runs before nginx loads the configuration. null: no guard runs
     * @param (Closure(string): PageStore)|null $open opens a page store of your own for a release, in place of files
     *     and memcached. The release is empty where no page is published. nginx then asks PHP for each page
     * @param int $patience milliseconds for which nginx waits for a memcached server before it asks PHP, and so does
     *     PHP for a connection; for a whole answer PHP waits four times as long. More for servers that are far or busy
     */
    public function __construct(
        public array $memcached = [],
        public ?string $guard = null,
        public ?Closure $open = null,
        public int $patience = 50,
    ) {}

    /** Whether the pages are files of this host, which nginx finds by itself. */
    public function isFiles(): bool
    {
        return $this->memcached === [] && $this->open === null;
    }
}
