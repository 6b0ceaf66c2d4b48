<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The texts of NginxConfig, from the templates in nginx/, which look like what they make. There, $this is this object.
 * What stands between `<?=` and `?>` was checked by Site or NginxTarget, or is quoted by NginxText. NginxText also
 * indents the lines, so a template may indent its lines and PHP as it reads best.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxTemplates
{
    /** Behind the path of the site. No page can have this URI. */
    public const PLACE = '/@larder';

    /** Bytes of a name in the names of variables: nginx's table of them takes no name that is much longer. */
    private const LONGEST_NAME = 20;

    /** Starts the name of every variable, upstream and named location, so that sites can share one nginx. */
    public string $name;

    /** Where the site begins, without a slash at the end. */
    public string $path;

    /** Below which this site has locations that are no page's. */
    public string $place;

    /** Starts the keys of pages in memcached. */
    public string $store;

    /** The directory of the pages. */
    public string $pages;

    public NginxMaps $maps;

    /** The file that `larder guard` writes; null: no guard runs. */
    public ?string $guard;

    /** @var array<int, Area> those with stale seconds, by number */
    public array $stale;

    /** Whether pages of other statuses than 200 have places of their own: memcached brings the status along. */
    public bool $hasStatuses;

    /** Whether nginx itself tells the edge what it may keep: a page out of memcached brings that along. */
    public bool $tellsEdge;

    /** @param string $hash of the whole configuration; empty for the text that it is made of */
    public function __construct(
        public Site $site,
        public NginxTarget $target,
        public string $hash = '',
    ) {
        // nginx takes the names of variables without regard to case. Two sites of one name here are refused by it.
        $this->name = 'larder_' . strtr(strtolower(substr($site->name, 0, self::LONGEST_NAME)), '-', '_');
        $this->path = rtrim($site->urls->path, '/');
        $this->place = $this->path . self::PLACE;
        $this->store = MemcachedPageStore::prefix($site->name);
        $this->pages = FollowedPages::of($site)?->link("\${$this->name}_second") ?? $site->pages;
        $this->guard = GuardedServers::of($site)?->path();
        $this->maps = new NginxMaps($site, $this->name);
        $this->stale = array_filter($site->urls->areas, static fn(Area $area): bool => $area->stale !== null);
        $this->hasStatuses = $site->storage->isFiles();
        $this->tellsEdge = $site->storage->memcached === [] && $site->serving->edge !== null;
    }

    /** @param string $template name of a file */
    public function text(string $template): string
    {
        return NginxText::laidOut(fn() => $this->put($template));
    }

    /** An nginx.conf around blocks for its http context, which stay as they are. */
    public function whole(string ...$blocks): string
    {
        return NginxText::printed(function () use ($blocks): void {
            $inner = NginxText::indented(implode("\n", $blocks));
            require __DIR__ . '/nginx/nginx.conf.php';
        });
    }

    /** @param string $template name of a file that needs nothing but $this */
    public function put(string $template): void
    {
        require __DIR__ . "/nginx/$template.conf.php";
    }

    /**
     * What the locations of pages have.
     *
     * @param string|null $root   directory of the pages; null: the location has another one
     * @param string      $status for the header Cache-Status
     * @param string      $always empty: only pages of 200 are served
     */
    public function hits(?string $root, string $status = 'larder; hit', string $always = ''): void
    {
        require __DIR__ . '/nginx/hits.conf.php';
    }

    /**
     * How a page of an area is found.
     *
     * @param bool $isOther whether the page has another URI than the request's own path
     */
    public function area(int $number, bool $isOther = false): void
    {
        require __DIR__ . '/nginx/area.conf.php';
    }

    /**
     * What the locations of shells and parts have.
     *
     * @param string      $below  where their files are, below those of pages
     * @param string|null $status of a shell, for the header Cache-Status; null: it is for parts
     */
    public function pieces(string $below, ?string $status): void
    {
        require __DIR__ . '/nginx/pieces.conf.php';
    }

    /** What asks memcached for a key. */
    public function memc(string $upstream, string $key): void
    {
        require __DIR__ . '/nginx/memc.conf.php';
    }

    /**
     * What asks php-fpm.
     *
     * @param string|null $down where a request goes that PHP does not answer; null: no visitor learns of it
     */
    public function fastcgi(?string $down): void
    {
        require __DIR__ . '/nginx/fastcgi.conf.php';
    }

    /**
     * The site's own headers.
     *
     * @param string $always empty for hits: with `always`, nginx adds them twice to a 416
     */
    public function headers(string $always): void
    {
        foreach ($this->site->serving->headers as $name => $value) {
            echo "add_header {$name} ", NginxText::literal($value), $always, ";\n";
        }
    }

    /** Whether pages of this area may have parts. */
    public function hasShells(Area $area): bool
    {
        return $this->site->urls->parts !== [] && str_starts_with($area->type, 'text/html');
    }

    /** @return string where a request of this area goes if the page is not there */
    public function way(int $number): string
    {
        return "\${$this->name}_" . (isset($this->stale[$number]) ? "gone_$number" : 'way');
    }

    /** What larder doctor reads. */
    public function told(): string
    {
        return $this->json([
            'pid' => '$pid',
            ...($this->site->visitors->contexts === null ? [] : ['context' => "\${$this->name}_context"]),
            ...$this->target->described(),
        ]);
    }

    /** What anybody on this machine reads, and whom a proxy here lets look like that. */
    public function toldToAll(): string
    {
        return $this->json([]);
    }

    /** @param array<string, mixed> $more */
    private function json(array $more): string
    {
        return json_encode(
            ['site' => $this->site->name, 'config' => $this->hash, 'http' => "\${$this->name}_http", ...$more],
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES,
        );
    }
}
