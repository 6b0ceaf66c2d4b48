<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\AnnouncedChange;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Edge\Edge;
use Larder\Edge\EdgeHeaders;
use Larder\Edge\EdgeKeys;
use Larder\Edge\Purges;
use Larder\Edge\UnfinishedPurges;
use Larder\Exception\InvalidSite;
use Larder\Metrics\Counters;
use Larder\Metrics\FileCounters;
use Larder\Metrics\History;
use Larder\Metrics\SparingLogger;
use Larder\Store;
use Psr\Log\LoggerInterface;

/**
 * The description of one site, which the runtime, the command line and the nginx configuration read. Pages::of() runs
 * it.
 */
final readonly class Site
{
    /** @var list<Area> longest prefix first; the last one covers the whole site */
    public array $areas;

    /** @var Closure(): TrackedConnection opens the application's own connection, whose writes drop pages */
    public Closure $connect;

    /** The memcached servers as `larder guard` has them; null: no guard runs. */
    public ?GuardedServers $guarded;

    /** Says whether pages may be served; null: always, since the site is not followed. */
    public ?FollowedPages $followedPages;

    /** Whether php-fpm sends a page before it stores it. */
    public bool $answersFirst;

    /** @internal for Pages: the release */
    public OnceRead $loaded;

    /** @var Closure(string): PageStore opens the pages of a release */
    private Closure $openStore;

    /**
     * @param string                          $name             of the site, for comments, logs and file names: letters,
     *                                                          digits, - and _
     * @param non-empty-list<string>          $hosts            server names; nginx hangs up on any other Host
     * @param string                          $pages            absolute directory of the page store; best on a tmpfs
     * @param string                          $list             file that `larder deploy` writes
     * @param list<class-string>              $controllers      whose pages may be stored; each has #[Reads]
     * @param Closure(): TrackedConnection    $connect          opens the application's own connection
     * @param Registry                        $registry         that the connection has; the other tables are as the
     *                                                          database's schema has them
     * @param list<Area>                      $areas            without one for $path, an area of HTML is added
     * @param list<Query>                     $queries          that pages may have; with any other query the request
     *                                                          reaches PHP, and nothing is stored
     * @param list<string>                    $sessionCookies   a request with one of them bypasses the pages, as one
     *                                                          with an Authorization header does; `*` at the end
     *                                                          stands for any: `wordpress_logged_in_*`
     * @param array<non-empty-string, string> $headers          response headers that nginx adds to hits and misses; a
     *                                                          page with another header, or value, is not stored
     * @param list<non-empty-string> $passHeaders request headers that PHP gets when a page could be stored. If a render
     *     reads one from the PSR-7 request, its page is not stored. Superglobals do not have them; getenv() and
     *     getallheaders() do, and Larder does not notice
     * @param int                             $bytes            that the pages may take
     * @param float                           $routeShare       share of $bytes that one controller's pages may take
     * @param int                             $pageBytes        a larger body is sent and not stored
     * @param int                             $leaseSeconds     after which a renderer that still runs loses its lease
     * @param int $waitMilliseconds for which a request waits for another's render, before it renders without storing
     * @param (Closure(LoggerInterface): Store)|null $store opens the store of the site's values, with this logger, for
     *     `larder doctor`, which asks whether it answers
     * @param list<string>|null               $code             directories with the code, which `larder deploy` lists:
     *     a page that was made by other code is not stored. null: the Composer project, without var, node_modules and
     *     names that begin with a dot; empty: nothing is listed, so pages of old code may survive a deploy
     * @param list<string> $ignoredParameters of a query: nginx takes them out, so PHP does not get them when the page
     *     could be stored; `*` at the end stands for any
     * @param string                          $path             where the site begins: `/`, or `/shop` beside others
     * @param list<string> $memcached servers for the pages, which have nothing else: `10.0.0.1:11211` or
     *     `unix:/run/pages.sock`. All web servers name the same in the same order. Then $pages has only what belongs to
     *     this host. Empty: the pages are files in $pages, for one host
     * @param string|null                     $hitLog           absolute file in which nginx notes each hit by an empty
     *     line, so that they are counted; its directory must be there when nginx starts. null: they are not counted
     * @param bool                            $notes            for demonstrations and development: a page of HTML ends
     *     with a comment that says when it was made and from what names, which have values of the data in them; hits of
     *     nginx have a header Server-Timing, which scripts can read
     * @param list<Part>                      $parts            of pages, by the prefix of their names
     * @param (Closure(Counters): Counters)|null $counters gets the site's own counters, which `larder stats` shows, and
     *     returns what counts in their place, such as a MeterCounters around them
     * @param Contexts|null $contexts that parts of a page differ by; null: they differ by none
     * @param (Closure(string): PageStore)|null $pageStore opens a page store of your own for a release, in place of
     *     files and memcached. The release is empty where no page is published. nginx then asks PHP for each page
     * @param string|null                     $guard            absolute directory in which `larder guard` says which
     *     memcached servers are out; nginx includes its file, so it runs before nginx loads the configuration. null:
     *     no guard runs
     * @param Edge|null                       $edge             cache in front of the web servers, from which a change
     *     purges its pages after COMMIT; null: none may keep them
     * @param EdgeHeaders                     $edgeHeaders      by which the edge learns what it may keep
     * @param bool $followed whether pages are only served while `larder follow`, with $pages in its `pages`, reads the
     *     database's log on this host. So they are right whoever changes the data, and end if it dies
     * @param bool|null $answersFirst whether php-fpm sends a page that it made before it stores it, so that nobody
     *     waits for that. Its `Cache-Status` cannot say then whether the page was stored. It has no ETag and is not
     *     compressed, and an edge does not keep it. null: where pages lie in memcached and there is no edge
     *
     * @throws InvalidSite
     */
    public function __construct(
        public string $name,
        public array $hosts,
        public string $pages,
        public string $list,
        public array $controllers,
        Closure $connect,
        public Registry $registry = new Registry(),
        array $areas = [],
        public array $queries = [],
        public array $sessionCookies = ['PHPSESSID'],
        public array $headers = [],
        public array $passHeaders = [],
        public int $bytes = 256 << 20,
        public float $routeShare = 0.5,
        public int $pageBytes = 2 << 20,
        public int $leaseSeconds = 10,
        public int $waitMilliseconds = 1500,
        public ?Closure $store = null,
        public ?array $code = null,
        public array $ignoredParameters = Query::IGNORED,
        public string $path = '/',
        public array $memcached = [],
        public ?string $hitLog = null,
        public bool $notes = false,
        public ?Closure $counters = null,
        public ?Contexts $contexts = null,
        public ?Closure $pageStore = null,
        public ?string $guard = null,
        public ?Edge $edge = null,
        public EdgeHeaders $edgeHeaders = new EdgeHeaders(),
        public array $parts = [],
        bool $followed = false,
        ?bool $answersFirst = null,
    ) {
        self::check('name', [$name], '/^[A-Za-z][A-Za-z0-9_-]*$/D');
        self::check('hosts', $hosts, '/^[A-Za-z0-9.*-]+$/D');
        self::check('pages', [$pages], '~^/[^\s"\'{};$\\\\]+[^/\s"\'{};$\\\\]$~D');
        self::check('hitLog', $hitLog === null ? [] : [$hitLog], '~^/[^\s"\'{};$\\\\]+[^/\s"\'{};$\\\\]$~D');
        self::check('sessionCookies', $sessionCookies, "/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/D");
        self::check('ignoredParameters', $ignoredParameters, '/^[A-Za-z0-9_.-]+\*?$/D');
        self::check('headers', array_keys($headers), '/^[A-Za-z][A-Za-z0-9-]*$/D');
        self::check('headers', $headers, '/^[^"\\\\$\r\n]*$/D');
        self::check('memcached', $memcached, '~^(?:[A-Za-z0-9.-]+:[1-9][0-9]{0,4}|unix:/[A-Za-z0-9._/-]+)$~D');
        if (\count(array_unique($memcached)) !== \count($memcached)) {
            throw InvalidSite::because('memcached: a server is there twice');
        }
        self::check('guard', $guard === null ? [] : [$guard], '~^/[^\s"\'{};$\\\\*?\[]+[^/\s"\'{};$\\\\*?\[]$~D');
        if ($guard !== null && $memcached === []) {
            throw InvalidSite::because('guard: it guards memcached servers, and there are none');
        }
        if ($pageStore !== null && $memcached !== []) {
            throw InvalidSite::because('pageStore: the pages lie there or in memcached, not in both');
        }
        $this->guarded = $guard === null ? null : new GuardedServers($guard, $name, $memcached);
        foreach ($edge === null ? [] : array_keys($headers) as $header) {
            if ($edgeHeaders->own($header)) {
                throw InvalidSite::because(\sprintf('headers: only Larder sets "%s"', $header));
            }
        }
        if ($followed && $edge !== null) {
            throw InvalidSite::because(
                'followed: what an edge keeps does not end when the follower dies, so there can be no edge',
            );
        }
        $this->answersFirst = $answersFirst ?? ($memcached !== [] && $edge === null);
        $this->loaded = new OnceRead();
        $this->followedPages = $followed ? new FollowedPages($pages) : null;
        self::check('passHeaders', $passHeaders, '/^[A-Za-z][A-Za-z0-9-]*$/D');
        foreach ($sessionCookies as $cookie) {
            if ($contexts !== null && fnmatch(strtolower($cookie), strtolower($contexts->cookie))) {
                throw InvalidSite::because(\sprintf('sessionCookies: "%s" is the cookie of contexts', $cookie));
            }
        }
        foreach (['bytes' => $bytes, 'pageBytes' => $pageBytes, 'routeShare' => $routeShare] as $limit => $value) {
            if ($value <= 0) {
                throw InvalidSite::because(\sprintf('%s must be above 0', $limit));
            }
        }
        if ($leaseSeconds < 1 || $routeShare > 1 || $waitMilliseconds < 0) {
            throw InvalidSite::because(
                'leaseSeconds is at least 1, routeShare at most 1 and waitMilliseconds at least 0',
            );
        }
        $this->connect = fn(): TrackedConnection => $this->follow($connect());
        foreach ($queries as $query) {
            foreach (array_keys($query->parameters) as $name) {
                if (preg_match('~^' . (Query::ignoring($ignoredParameters) ?? '(?!)') . '$~D', $name) === 1) {
                    throw InvalidSite::because(\sprintf('ignoredParameters: a query has "%s"', $name));
                }
            }
        }
        $names = array_map(static fn(Part $part): string => $part->prefix, $parts);
        if (\count(array_unique($names)) !== \count($names)) {
            throw InvalidSite::because('two parts have the same prefix');
        }
        foreach ($parts as $part) {
            if ($contexts === null && $part->kind === PartKind::ByContext) {
                throw InvalidSite::because("part {$part->prefix}: it is by context, and the site has no contexts");
            }
        }
        $prefixes = array_map(static fn(Area $area): string => $area->prefix, $areas);
        $whole = new Area($path);
        foreach ($prefixes as $prefix) {
            if (!$whole->covers($prefix)) {
                throw InvalidSite::because(\sprintf('area %s is not below the path %s', $prefix, $path));
            }
        }
        if (\count(array_unique($prefixes)) !== \count($prefixes)) {
            throw InvalidSite::because('two areas have the same prefix');
        }
        $ignoring = array_filter($areas, static fn(Area $area): bool => $area->ignoreCookies);
        if ($ignoring !== [] && \in_array('cookie', array_map(strtolower(...), $passHeaders), true)) {
            throw InvalidSite::because('passHeaders: where an area ignores cookies, PHP may not get them');
        }
        if (!\in_array($path, $prefixes, true)) {
            $areas[] = $whole;
        }
        usort($areas, static fn(Area $a, Area $b): int => \strlen($b->prefix) <=> \strlen($a->prefix));
        $this->areas = $areas;
        $this->openStore = $pageStore
            ?? self::ownStore($pages, $memcached, $this->name, $leaseSeconds, $this->guarded, $areas);
    }

    /**
     * Lets what a connection writes drop the pages of this site. Those of $connect do so already.
     *
     * @template C of TrackedConnection
     *
     * @param C $connection
     *
     * @return C the same
     */
    public function follow(TrackedConnection $connection): TrackedConnection
    {
        // It makes changes known, and registers no page, so it needs no release. Requests that only read need none.
        $open = $this->openStore;
        $announced = $this->announced();
        $ledger = static fn(TrackedConnection $writer): SqlLedger => new SqlLedger(
            $writer,
            $open(''),
            '',
            announced: $announced,
        );
        $connection->announceBy(
            static fn(TrackedConnection $writer, array $names) => $ledger($writer)->announceUntold($names),
        );
        $connection->gateBy(
            static fn(TrackedConnection $writer, ?array $tables, Closure $run): mixed
                => $ledger($writer)->gate($tables, $run),
        );

        return $connection;
    }

    /**
     * @internal What learns of each change, for the ledgers of this site.
     *
     * @return (Closure(AnnouncedChange): (Closure(): mixed|null))|null
     */
    public function announced(): ?Closure
    {
        $purges = $this->purges();
        $listeners = [
            (new NotedChanges(new ChangeLog($this->pages . '/changes'), $this->counters(...)))->of(...),
            ...($purges === null ? [] : [$purges->announced(...)]),
        ];

        return (new ChangeListeners($listeners))->announced();
    }

    /** @return Purges|null of the edge; null: there is none */
    public function purges(?LoggerInterface $logger = null): ?Purges
    {
        return $this->edge === null ? null : new Purges(
            $this->edge,
            new EdgeKeys($this->name),
            new UnfinishedPurges($this->pages . '/unpurged'),
            $this->counters(...),
            $logger ?? new SparingLogger(),
        );
    }

    /** What counts for this site, on this host. */
    public function counters(): Counters
    {
        return $this->counters === null ? $this->ownCounters() : ($this->counters)($this->ownCounters());
    }

    /** @internal What counts in the site's directory, and keeps a history. */
    public function ownCounters(): FileCounters
    {
        return new FileCounters($this->pages . '/counters', $this->history());
    }

    /** @internal What was counted on this host, minute by minute. */
    public function history(): History
    {
        $hits = $this->hitLog === null ? null : new HitLog($this->hitLog);

        return new History($this->pages . '/history', static fn(): array => MemoryGauges::now() + (
            $hits === null ? [] : [HitLog::SERIES => $hits->hits()]
        ));
    }

    /** Where the pages of a release lie. */
    public function pageStore(string $release): PageStore
    {
        return ($this->openStore)($release);
    }

    /**
     * The page of a key, if this site can have it.
     *
     * @return PagePath|null null: the key is not canonical or not below $path, its query is none of $queries, it is of
     *     a part that is not kept, or it has a time bucket where its area has no ttl, or none where it has one
     */
    public function page(string $key): ?PagePath
    {
        $page = PagePath::of($key);
        if ($page === null || !(new Area($this->path))->covers($page->path())) {
            return null;
        }
        if ($page->part !== null) {
            return $this->hasPart($page) ? $page : null;
        }
        if ($page->hasQuery() && !$this->allowsQuery($page->uri)) {
            return null;
        }

        return ($this->areaOf($page->path())->ttl === null) === ($page->bucket === null) ? $page : null;
    }

    /** The part of a name; null: no Part covers it. */
    public function part(string $name): ?Part
    {
        $found = null;
        foreach ($this->parts as $part) {
            $isCloser = $found === null || \strlen($part->prefix) > \strlen($found->prefix);
            if ($isCloser && $part->covers($name) && PartName::isCanonical($name)) {
                $found = $part;
            }
        }

        return $found;
    }

    /** The URI by which nginx asks for a part. */
    public function partUri(string $name): string
    {
        return rtrim($this->path, '/') . PartName::PLACE . $name;
    }

    /**
     * The URI of the page that answers a request, as nginx finds it: without the parameters that are ignored.
     *
     * @param string $request path and query as they were sent
     *
     * @return string|null null: no page can answer it
     */
    public function pageUri(string $request): ?string
    {
        $path = explode('?', $request, 2)[0];
        $query = $path === $request ? null : substr($request, \strlen($path) + 1);
        $ignored = '~^' . (Query::ignoring($this->ignoredParameters) ?? '(?!)') . '$~D';
        $kept = $query === null
            ? []
            : array_filter(explode('&', $query), static fn(string $pair): bool => preg_match($ignored, $pair) !== 1);
        $uri = $path . ($kept === [] ? '' : '?' . implode('&', $kept));
        $page = PagePath::of($uri);
        $isOwn = $page !== null && $page->bucket === null && (new Area($this->path))->covers($page->path());

        return $isOwn && (!$page->hasQuery() || $this->allowsQuery($uri)) ? $uri : null;
    }

    /** The URI of a part in an include: with files, that of its file, so that nginx need not make one. */
    public function include(string $name): string
    {
        return $this->partUri($name) . ($this->memcached === [] ? PagePath::SUFFIX : '');
    }

    /** The area of a path; of one that is not the site's, the widest. That of a part is the part's own. */
    public function areaOf(string $path): Area
    {
        $place = $this->partUri('');
        $part = str_starts_with($path, $place) ? $this->part(substr($path, \strlen($place))) : null;
        if ($part !== null) {
            return $part->area;
        }
        foreach ($this->areas as $area) {
            if ($area->covers($path)) {
                return $area;
            }
        }

        return $this->areas[\count($this->areas) - 1];
    }

    private function hasPart(PagePath $page): bool
    {
        $part = $this->part((string) $page->part);

        return $part !== null
            && $part->kind !== PartKind::Private
            && $page->uri === $this->partUri((string) $page->part)
            && ($part->area->ttl === null) === ($page->bucket === null)
            && ($part->kind === PartKind::ByContext) === ($page->context !== null);
    }

    /**
     * @param list<string> $memcached
     * @param list<Area>   $areas
     *
     * @return Closure(string): PageStore
     */
    private static function ownStore(
        string $pages,
        array $memcached,
        string $name,
        int $leaseSeconds,
        ?GuardedServers $guarded,
        array $areas,
    ): Closure {
        $stale = new StaleAreas($areas);

        return $memcached === []
            ? static fn(string $release) => new FilePageStore(
                $pages,
                $release,
                others: MemcachedPageStore::of(...),
                areas: $stale,
            )
            : static fn() => new MemcachedPageStore(
                $memcached,
                MemcachedPageStore::prefix($name),
                max(1, $leaseSeconds),
                $guarded,
                $stale,
            );
    }

    private function allowsQuery(string $uri): bool
    {
        foreach ($this->queries as $query) {
            if (preg_match('~' . $query->expression() . '~D', $uri) === 1) {
                return true;
            }
        }

        return false;
    }

    /** @param array<array-key, string> $values */
    private static function check(string $what, array $values, string $expression): void
    {
        foreach ($values as $value) {
            if (preg_match($expression, $value) !== 1) {
                throw InvalidSite::because(\sprintf('%s: "%s" does not fit %s', $what, $value, $expression));
            }
        }
    }
}
