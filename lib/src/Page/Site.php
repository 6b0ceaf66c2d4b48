<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\InvalidSite;

/**
 * The description of one site, which the runtime, the command line and the nginx configuration read. Pages::of() runs
 * it.
 *
 * A site with files on one web server needs no more than the first six arguments. All else stands in groups:
 *
 *     new Site(
 *         …
 *         urls: new Urls(areas: [new Area('/feed', 'application/rss+xml')]),
 *         limits: new Limits(bytes: 1 << 30),
 *     )
 */
final readonly class Site
{
    /** @internal for Pages: the release that this process runs */
    public OnceRead $loaded;

    /**
     * @param string                       $name        of the site, for comments, logs and file names: letters, digits,
     *                                                  - and _
     * @param non-empty-list<string>       $hosts       server names; nginx hangs up on any other Host
     * @param string                       $pages       absolute directory of the page store; best on a tmpfs
     * @param string                       $list        file that `larder deploy` writes
     * @param list<class-string>           $controllers whose pages may be stored; each has #[Reads]
     * @param Closure(): TrackedConnection $connect     opens the application's own connection. Pages::connect() calls
     *                                                  it, so that what the connection writes drops pages
     * @param Urls                         $urls        that have pages: areas, queries, parts, a path beside others
     * @param Visitors                     $visitors    what requests bring along: sessions, contexts, headers
     * @param Storage                      $storage     where pages are kept, if not in files
     * @param Limits                       $limits      of room and time
     * @param Serving                      $serving     how pages are sent: headers, an edge, only while followed
     * @param Operations                   $operations  what deploy, counts and checks need
     *
     * @throws InvalidSite
     */
    public function __construct(
        public string $name,
        public array $hosts,
        public string $pages,
        public string $list,
        public array $controllers,
        private Closure $connect,
        public Urls $urls = new Urls(),
        public Visitors $visitors = new Visitors(),
        public Storage $storage = new Storage(),
        public Limits $limits = new Limits(),
        public Serving $serving = new Serving(),
        public Operations $operations = new Operations(),
    ) {
        $rules = new SiteRules($urls, $visitors, $storage, $limits, $serving, $operations);
        $rules->check($name, $hosts, $pages);
        $this->loaded = new OnceRead();
    }

    /**
     * @internal for Pages::connect(): a connection as the application opens it, whose writes drop no page yet.
     */
    public function open(): TrackedConnection
    {
        return ($this->connect)();
    }

    /** Whether php-fpm sends a page before it stores it. */
    public function answersFirst(): bool
    {
        return $this->serving->answersFirst ?? ($this->storage->memcached !== [] && $this->serving->edge === null);
    }

    /** The URI of a part in an include: with files, the URI of its file, so that nginx need not make one. */
    public function include(string $name): string
    {
        return $this->urls->partUri($name) . ($this->storage->memcached === [] ? PagePath::SUFFIX : '');
    }
}
