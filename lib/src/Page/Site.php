<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Exception\InvalidSite;

/**
 * One site, described once: the runtime, the command line and the nginx configuration all read this object.
 */
final readonly class Site
{
    /** @var list<Area> longest prefix first; the last one covers everything */
    public array $areas;

    /**
     * @param string                          $name             of the site, for comments, logs and file names: letters, digits, - and _
     * @param non-empty-list<string>          $hosts            server names; any other Host is answered by closing the connection
     * @param string                          $pages            absolute directory of the page store; a tmpfs is best, see docs
     * @param string                          $list             file that `larder deploy` writes and the runtime checks the code against
     * @param list<class-string>              $controllers      whose pages may be stored; each carries #[Reads]
     * @param Closure(): RecordingPdo         $connect          opens the application's own connection
     * @param list<Area>                      $areas            an HTML area for `/` is added when none is given
     * @param list<Query>                     $queries
     * @param string                          $sessionCookie    the one cookie, beside an Authorization header, that bypasses the pages
     * @param array<non-empty-string, string> $headers          response headers that nginx adds to hits and misses alike
     * @param list<non-empty-string>          $passHeaders      request headers that PHP may see when a page could be stored; a render that reads one from the PSR-7 request is not stored. Superglobals do not have them; getenv() and getallheaders() do, unnoticed
     * @param int                             $bytes            cap of the page store; see PageQuota for what gives way
     * @param float                           $routeShare       of $bytes that the pages of one controller may hold
     * @param int                             $pageBytes        a larger body is sent and not stored
     * @param int                             $leaseSeconds     after which a renderer that still lives loses its lease
     * @param int                             $waitMilliseconds that a request waits for another's render, before it renders without storing
     *
     * @throws InvalidSite
     */
    public function __construct(
        public string $name,
        public array $hosts,
        public string $pages,
        public string $list,
        public array $controllers,
        public Registry $registry,
        public Closure $connect,
        array $areas = [],
        public array $queries = [],
        public string $sessionCookie = 'PHPSESSID',
        public array $headers = [],
        public array $passHeaders = [],
        public int $bytes = 256 << 20,
        public float $routeShare = 0.5,
        public int $pageBytes = 2 << 20,
        public int $leaseSeconds = 10,
        public int $waitMilliseconds = 1500,
    ) {
        self::check('name', [$name], '/^[A-Za-z][A-Za-z0-9_-]*$/D');
        self::check('hosts', $hosts, '/^[A-Za-z0-9.*-]+$/D');
        self::check('pages', [$pages], '~^/[^\s"\'{};$\\\\]+[^/\s"\'{};$\\\\]$~D');
        self::check('sessionCookie', [$sessionCookie], '/^[A-Za-z0-9_]+$/D');
        self::check('headers', array_keys($headers), '/^[A-Za-z][A-Za-z0-9-]*$/D');
        self::check('headers', $headers, '/^[^"\\\\$\r\n]*$/D');
        self::check('passHeaders', $passHeaders, '/^[A-Za-z][A-Za-z0-9-]*$/D');
        foreach (['bytes' => $bytes, 'pageBytes' => $pageBytes, 'routeShare' => $routeShare] as $limit => $value) {
            if ($value <= 0) {
                throw InvalidSite::because(\sprintf('%s must be above 0', $limit));
            }
        }
        if ($leaseSeconds < 1 || $routeShare > 1 || $waitMilliseconds < 0) {
            throw InvalidSite::because('leaseSeconds is at least 1, routeShare at most 1 and waitMilliseconds at least 0');
        }
        $prefixes = array_map(static fn(Area $area): string => $area->prefix, $areas);
        if (\count(array_unique($prefixes)) !== \count($prefixes)) {
            throw InvalidSite::because('two areas have the same prefix');
        }
        if (!\in_array('/', $prefixes, true)) {
            $areas[] = new Area('/');
        }
        usort($areas, static fn(Area $a, Area $b): int => \strlen($b->prefix) <=> \strlen($a->prefix));
        $this->areas = $areas;
    }

    /**
     * The page of a key, if this site can have it.
     *
     * @return PagePath|null null: the key is not canonical, its query is none of $queries, or it has a time bucket where
     *                       its area has no ttl, or none where it has one
     */
    public function page(string $key): ?PagePath
    {
        $page = PagePath::of($key);
        if ($page === null || ($page->hasQuery() && !$this->allowsQuery($page->uri))) {
            return null;
        }

        return ($this->areaOf($page->path())->ttl === null) === ($page->bucket === null) ? $page : null;
    }

    public function areaOf(string $path): Area
    {
        foreach ($this->areas as $area) {
            if ($area->covers($path)) {
                return $area;
            }
        }
        throw new \LogicException('The constructor makes sure of an area for /.');
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
