<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\InvalidSite;
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
    ) {
        self::check('name', [$name], '/^[A-Za-z][A-Za-z0-9_-]*$/D');
        self::check('hosts', $hosts, '/^[A-Za-z0-9.*-]+$/D');
        self::check('pages', [$pages], '~^/[^\s"\'{};$\\\\]+[^/\s"\'{};$\\\\]$~D');
        self::check('sessionCookies', $sessionCookies, "/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/D");
        self::check('ignoredParameters', $ignoredParameters, '/^[A-Za-z0-9_.-]+\*?$/D');
        self::check('headers', array_keys($headers), '/^[A-Za-z][A-Za-z0-9-]*$/D');
        self::check('headers', $headers, '/^[^"\\\\$\r\n]*$/D');
        self::check('passHeaders', $passHeaders, '/^[A-Za-z][A-Za-z0-9-]*$/D');
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
        $pages = $this->pages;
        // It makes changes known, and registers no page, so it needs no release. Requests that only read need none.
        $ledger = static fn(TrackedConnection $writer): SqlLedger => new SqlLedger(
            $writer,
            new FilePageStore($pages, ''),
            '',
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
     * The page of a key, if this site can have it.
     *
     * @return PagePath|null null: the key is not canonical or not below $path, its query is none of $queries, or it has
     *     a time bucket where its area has no ttl, or none where it has one
     */
    public function page(string $key): ?PagePath
    {
        $page = PagePath::of($key);
        if ($page === null || !(new Area($this->path))->covers($page->path())) {
            return null;
        }
        if ($page->hasQuery() && !$this->allowsQuery($page->uri)) {
            return null;
        }

        return ($this->areaOf($page->path())->ttl === null) === ($page->bucket === null) ? $page : null;
    }

    /** The area of a path; of one that is not the site's, the widest. */
    public function areaOf(string $path): Area
    {
        foreach ($this->areas as $area) {
            if ($area->covers($path)) {
                return $area;
            }
        }

        return $this->areas[\count($this->areas) - 1];
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
