<?php

declare(strict_types=1);

namespace Larder\Page;

/** The URLs that a site has pages and parts of pages for. Without arguments: every path of HTML, and no query. */
final readonly class Urls
{
    /** Parameters that tell who sent the visitor, and that scripts in the page read. */
    public const IGNORED = [
        'utm_*', 'mtm_*', 'matomo_*', 'pk_*', 'piwik_*', 'hsa_*', '_hsenc', '_hsmi', '_ga', '_gl', '_ke', '_kx',
        'dclid', 'epik', 'fbclid', 'gad_campaignid', 'gad_source', 'gbraid', 'gclid', 'gclsrc', 'igshid', 'li_fat_id',
        'mc_cid', 'mc_eid', 'mkt_tok', 'msclkid', 'oly_anon_id', 'oly_enc_id', 'rb_clickid', 's_cid', 'srsltid',
        'ttclid', 'twclid', 'vero_id', 'wbraid', 'wickedid', 'yclid',
    ];

    /** @var list<Area> longest prefix first; the last one covers the whole site */
    public array $areas;

    /**
     * @param string      $path  where the site begins: `/`, or `/shop` beside others
     * @param list<Area>  $areas without one for $path, an area of HTML is added
     * @param list<Query> $queries that pages may have; with any other query the request reaches PHP, and nothing is
     *     stored
     * @param list<string> $ignoredParameters of a query: nginx takes them out, so PHP does not get them when the page
     *     could be stored; `*` at the end stands for any
     * @param list<Part> $parts of pages, by the prefix of their names. Each part has a URL of its own
     */
    public function __construct(
        public string $path = '/',
        array $areas = [],
        public array $queries = [],
        public array $ignoredParameters = self::IGNORED,
        public array $parts = [],
    ) {
        if (!\in_array($path, array_column($areas, 'prefix'), true)) {
            $areas[] = new Area($path);
        }
        usort($areas, static fn(Area $a, Area $b): int => \strlen($b->prefix) <=> \strlen($a->prefix));
        $this->areas = $areas;
    }

    /**
     * The page of a key, if the site can have it.
     *
     * @return PagePath|null null: the key is not canonical or not below $path, its query is none of $queries, it is of
     *     a part that is not kept, or it has a time bucket where its area has no ttl, or none where it has one
     */
    public function page(string $key): ?PagePath
    {
        $page = PagePath::of($key);
        if ($page === null || !$this->covers($page->path())) {
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
        $kept = $query === null
            ? []
            : array_filter(explode('&', $query), fn(string $pair): bool => !$this->ignores($pair));
        $uri = $path . ($kept === [] ? '' : '?' . implode('&', $kept));
        $page = PagePath::of($uri);
        $isOwn = $page !== null && $page->bucket === null && $this->covers($page->path());

        return $isOwn && (!$page->hasQuery() || $this->allowsQuery($uri)) ? $uri : null;
    }

    /** The area of a path; of one that is not the site's, the widest. A part has the area of its Part. */
    public function areaOf(string $path): Area
    {
        if ($this->parts !== []) {
            $place = $this->partUri('');
            $part = str_starts_with($path, $place) ? $this->part(substr($path, \strlen($place))) : null;
            if ($part !== null) {
                return $part->area;
            }
        }
        foreach ($this->areas as $area) {
            if ($area->covers($path)) {
                return $area;
            }
        }

        return $this->areas[\count($this->areas) - 1];
    }

    /** Whether a path is the site's. */
    public function covers(string $path): bool
    {
        return (new Area($this->path))->covers($path);
    }

    /** Whether a parameter of a query is ignored, given by its name or with its value. */
    public function ignores(string $parameter): bool
    {
        return preg_match('~^' . (Query::ignoring($this->ignoredParameters) ?? '(?!)') . '$~D', $parameter) === 1;
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

    private function allowsQuery(string $uri): bool
    {
        foreach ($this->queries as $query) {
            if (preg_match('~' . $query->expression() . '~D', $uri) === 1) {
                return true;
            }
        }

        return false;
    }
}
