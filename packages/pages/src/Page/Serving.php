<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Edge\Edge;
use Larder\Edge\EdgeHeaders;

/** How nginx, php-fpm and a cache in front of them send the pages of a site. */
final readonly class Serving
{
    /**
     * @param array<non-empty-string, string> $headers response headers that nginx adds to hits and misses; a page with
     *     another header, or value, is not stored
     * @param bool|null $answersFirst whether php-fpm sends a page that it made before it stores it, so that nobody
     *     waits for that. Its `Cache-Status` cannot say then whether the page was stored. It has no ETag and is not
     *     compressed, and an edge does not keep it. null: where pages lie in memcached and there is no edge
     * @param bool $followed whether pages are only served while `larder follow`, with Site::$pages in its `pages`,
     *     reads the database's log on this host. So they are right whoever changes the data, and end if it dies
     * @param Edge|null $edge cache in front of the web servers, from which a change purges its pages after COMMIT;
     *     null: none may keep them
     * @param EdgeHeaders|null $edgeHeaders by which the edge learns what it may keep; null: new EdgeHeaders()
     * @param list<string> $files endings of files in the public directory that visitors may get beside the usual ones,
     *     such as `zip` or `docx`
     */
    public function __construct(
        public array $headers = [],
        public ?bool $answersFirst = null,
        public bool $followed = false,
        public ?Edge $edge = null,
        private ?EdgeHeaders $edgeHeaders = null,
        public array $files = [],
    ) {}

    public function edgeHeaders(): EdgeHeaders
    {
        return $this->edgeHeaders ?? new EdgeHeaders();
    }
}
