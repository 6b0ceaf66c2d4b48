<?php

declare(strict_types=1);

namespace App;

use App\Controller\{
    CategoriesPage, CategoryPage, CommentForm, Feed, FindPage, FrontPage, ItemPage, LatestBox, SearchLive, SearchPage,
    SearchTimed,
};
use App\Http\Controller;
use Larder\Metrics\NullCounters;
use Larder\Page\{Area, Operations, Part, PartKind, Query, Serving, Site, Storage, Urls, Visitors};
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Psr\Log\LoggerInterface;
use UnexpectedValueException;

/**
 * The site's settings, from the environment.
 *
 * | variable              | default             | |
 * | --------------------- | ------------------- | --- |
 * | APP_DATABASE          | app/var/site.sqlite | SQLite file, `mysql:…` or `pgsql:…`; filled by app/bin/import |
 * | APP_DATABASE_USER     |                     | of the DSN |
 * | APP_DATABASE_PASSWORD |                     | of the DSN |
 * | APP_PAGES             | app/var/pages       | directory of the page store; a tmpfs is best |
 * | APP_PAGES_MEMCACHED   |                     | memcached servers for the pages of several hosts, by commas |
 * | APP_LIST              | app/var/release.php | list of controllers, made by `larder deploy` |
 * | APP_VAR               | app/var             | directory of compiled templates and the log |
 * | APP_BASE_URL          | http://localhost    | start of the feed's links |
 * | APP_CACHE             | on                  | off: the site runs without Larder, to compare |
 * | APP_PAGES_CACHE       | on                  | off: no pages are kept, but the rows and lists that they show |
 * | APP_STORE             | memory              | where rows and lists are kept, see ValueStore |
 * | APP_STORE_TIMEOUT     | 250                 | milliseconds that a server of the store may take |
 * | APP_HITS              |                     | file in which nginx notes its hits, so that they are counted |
 * | APP_FOLLOWED          | off                 | on: pages are only served while `larder follow` is at work |
 * | APP_ANSWERS_FIRST     | by the page store   | on: php-fpm sends a page before it stores it; off: after |
 * | APP_DASHBOARD         |                     | secret by which the dashboard opens; none: it stays closed |
 * | APP_FOLLOWERS         |                     | directories of followers for the dashboard, by colons |
 * | APP_NOTES             | off                 | on: each page shows in a corner whether it was a hit, and from what |
 * | APP_SEARCH            | exact               | what of /search/WORD is kept: none, ids, ttl, exact (SearchPolicy) |
 */
final readonly class Configuration
{
    public Database $database;
    public string $var;
    public string $baseUrl;
    public bool $cache;
    public bool $pagesCache;
    public string $store;
    public bool $notes;
    public int $storeTimeout;
    public SearchPolicy $search;
    /** @var list<string> directories of the followers of this host */
    public array $followers;
    public string $dashboard;
    private string $pages;
    private string $list;
    private string $hits;
    private bool $followed;
    private ?bool $answersFirst;
    /** @var list<string> */
    private array $memcached;

    /** @param array<array-key, mixed> $environment */
    public function __construct(array $environment)
    {
        $get = static function (string $name, string $default) use ($environment): string {
            $value = $environment[$name] ?? '';

            return \is_string($value) && $value !== '' ? $value : $default;
        };
        $this->var = $get('APP_VAR', \dirname(__DIR__) . '/var');
        $this->database = new Database(
            $get('APP_DATABASE', $this->var . '/site.sqlite'),
            $get('APP_DATABASE_USER', ''),
            $get('APP_DATABASE_PASSWORD', ''),
        );
        $this->pages = $get('APP_PAGES', $this->var . '/pages');
        $this->memcached = array_values(array_filter(
            explode(',', $get('APP_PAGES_MEMCACHED', '')),
            static fn(string $server): bool => $server !== '',
        ));
        $this->hits = $get('APP_HITS', '');
        $this->followed = $get('APP_FOLLOWED', 'off') === 'on';
        $this->answersFirst = ['on' => true, 'off' => false][$get('APP_ANSWERS_FIRST', '')] ?? null;
        $this->followers = array_values(array_diff(explode(':', $get('APP_FOLLOWERS', '')), ['']));
        $this->dashboard = $get('APP_DASHBOARD', '');
        $this->list = $get('APP_LIST', $this->var . '/release.php');
        $this->baseUrl = rtrim($get('APP_BASE_URL', 'http://localhost'), '/');
        $this->cache = $get('APP_CACHE', 'on') !== 'off';
        $this->pagesCache = $this->cache && $get('APP_PAGES_CACHE', 'on') !== 'off';
        $this->notes = $get('APP_NOTES', 'off') === 'on';
        $this->store = $get('APP_STORE', 'memory');
        $this->storeTimeout = (int) $get('APP_STORE_TIMEOUT', '250');
        $this->search = SearchPolicy::tryFrom($get('APP_SEARCH', 'exact'))
            ?? throw new UnexpectedValueException('APP_SEARCH is none, ids, ttl or exact');
    }

    public function site(): Site
    {
        return new Site(
            name: 'larder-app',
            hosts: ['localhost', '127.0.0.1'],
            pages: $this->pages,
            list: $this->list,
            controllers: [
                FrontPage::class, ItemPage::class, CategoryPage::class, CategoriesPage::class, Feed::class,
                FindPage::class, CommentForm::class, LatestBox::class,
                ...($this->search->keepsPages() ? [$this->searchController()] : []),
            ],
            connect: $this->connect(...),
            urls: new Urls(
                areas: [
                    new Area('/feed', Feed::TYPE),
                    new Area('/find', ttl: FindPage::TTL),
                    ...($this->search === SearchPolicy::Ttl ? [new Area('/search', ttl: SearchPolicy::TTL)] : []),
                ],
                queries: [new Query('/category/[a-z0-9-]+', ['page' => '(?:[2-9]|[1-9][0-9][0-9]?)'])],
                parts: [new Part('box'), new Part('visitor', PartKind::Private)],
            ),
            visitors: new Visitors(sessionCookies: ['app_session']),
            storage: new Storage(memcached: $this->memcached),
            serving: new Serving(
                headers: ['X-Content-Type-Options' => 'nosniff', 'Referrer-Policy' => 'same-origin'],
                followed: $this->followed,
                answersFirst: $this->answersFirst,
            ),
            operations: new Operations(
                notes: $this->notes,
                store: fn(LoggerInterface $log): Store => (new ValueStore(
                    $this->namespace(),
                    $this->storeTimeout,
                    $log,
                    new NullCounters(),
                ))->of($this->store),
                hitLog: $this->hits === '' ? null : $this->hits,
            ),
        );
    }

    /** @return class-string<Controller> */
    public function searchController(): string
    {
        return match ($this->search) {
            SearchPolicy::None, SearchPolicy::Ids => SearchLive::class,
            SearchPolicy::Ttl => SearchTimed::class,
            SearchPolicy::Exact => SearchPage::class,
        };
    }

    public function connect(): RecordingPdo
    {
        return $this->database->open();
    }

    /** Separates this site's values from those of others in the same store. */
    public function namespace(): string
    {
        return 'app-' . hash('xxh64', $this->database->name);
    }
}
