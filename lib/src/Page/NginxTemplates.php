<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The texts of NginxConfig, from the files in nginx/, which look like what they make. In a file, $this is this object.
 * A value gets into the text as it is here: it was checked where it comes from, or is quoted by NginxText.
 *
 * @internal part of NginxConfig
 */
final readonly class NginxTemplates
{
    /** Bytes of a name in the names of variables: nginx's table of them takes no name that is much longer. */
    private const LONGEST_NAME = 20;

    /** Starts the name of every variable, upstream and named location, so that sites can share one nginx. */
    public string $name;

    /** Where the site begins, without a slash at the end. */
    public string $path;

    /** The directory of the pages. */
    public string $pages;

    public NginxMaps $maps;

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
        public string $hash,
    ) {
        // nginx takes the names of variables without regard to case. Two sites of one name here are refused by it.
        $this->name = 'larder_' . strtr(strtolower(substr($site->name, 0, self::LONGEST_NAME)), '-', '_');
        $this->path = rtrim($site->path, '/');
        $this->pages = $site->followedPages?->link("\${$this->name}_second") ?? $site->pages;
        $this->maps = new NginxMaps($site, $this->name);
        $this->stale = array_filter($site->areas, static fn(Area $area): bool => $area->stale !== null);
        $this->hasStatuses = $site->memcached === [] && $site->pageStore === null;
        $this->tellsEdge = $site->memcached === [] && $site->edge !== null;
    }

    /** @param string $template name of a file */
    public function text(string $template): string
    {
        return NginxText::laidOut(fn() => $this->put($template));
    }

    /** @param string $template name of a file that needs nothing but $this */
    public function put(string $template): void
    {
        require __DIR__ . "/nginx/$template.conf.php";
    }

    /**
     * The memcached servers of an upstream.
     *
     * @param string $key the variable whose value decides which server
     */
    public function servers(string $key): void
    {
        require __DIR__ . '/nginx/servers.conf.php';
    }

    /** @return string where a request of this area goes if the page is not there */
    public function way(int $number): string
    {
        return "\${$this->name}_" . (isset($this->stale[$number]) ? "gone_$number" : 'way');
    }
}
