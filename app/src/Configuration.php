<?php

declare(strict_types=1);

namespace App;

use App\Controller\CategoriesPage;
use App\Controller\CategoryPage;
use App\Controller\Feed;
use App\Controller\FindPage;
use App\Controller\FrontPage;
use App\Controller\ItemPage;
use App\Controller\SearchTimed;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Area;
use Larder\Page\Query;
use Larder\Page\Site;
use UnexpectedValueException;

/**
 * The site's settings, from the environment.
 *
 * | variable          | default             | |
 * | ----------------- | ------------------- | --- |
 * | APP_DATABASE      | app/var/site.sqlite | SQLite file, made by app/bin/import |
 * | APP_PAGES         | app/var/pages       | page store; a tmpfs is best |
 * | APP_LIST          | app/var/release.php | list of controllers, made by `larder deploy` |
 * | APP_VAR           | app/var             | compiled templates and the log |
 * | APP_BASE_URL      | http://localhost    | in front of the feed's links |
 * | APP_CACHE         | on                  | off: Larder is left out, to compare |
 * | APP_PAGES_CACHE   | on                  | off: no pages are kept, only the rows and lists that they are made of |
 * | APP_STORE         | memory              | where these are kept: memory, memcached:HOST:PORT, redis:HOST:PORT (more than one with commas between), tiered:memcached:HOST:PORT (memory before it), none |
 * | APP_STORE_TIMEOUT | 250                 | milliseconds that a server of the store may take |
 * | APP_SEARCH        | exact               | what is kept of /search/WORD: none, ids, ttl, exact; see SearchPolicy |
 */
final readonly class Configuration
{
    public const FEED_TYPE = 'application/rss+xml; charset=utf-8';

    public string $database;
    public string $var;
    public string $baseUrl;
    public bool $cache;
    public bool $pagesCache;
    public string $store;
    public int $storeTimeout;
    public SearchPolicy $search;
    private string $pages;
    private string $list;

    /** @param array<array-key, mixed> $environment */
    public function __construct(array $environment)
    {
        $get = static fn(string $name, string $default): string => \is_string($environment[$name] ?? null) && $environment[$name] !== '' ? $environment[$name] : $default;
        $this->var = $get('APP_VAR', \dirname(__DIR__) . '/var');
        $this->database = $get('APP_DATABASE', $this->var . '/site.sqlite');
        $this->pages = $get('APP_PAGES', $this->var . '/pages');
        $this->list = $get('APP_LIST', $this->var . '/release.php');
        $this->baseUrl = rtrim($get('APP_BASE_URL', 'http://localhost'), '/');
        $this->cache = $get('APP_CACHE', 'on') !== 'off';
        $this->pagesCache = $this->cache && $get('APP_PAGES_CACHE', 'on') !== 'off';
        $this->store = $get('APP_STORE', 'memory');
        $this->storeTimeout = (int) $get('APP_STORE_TIMEOUT', '250');
        $this->search = SearchPolicy::tryFrom($get('APP_SEARCH', 'exact')) ?? throw new UnexpectedValueException('APP_SEARCH is none, ids, ttl or exact');
    }

    public function site(): Site
    {
        return new Site(
            name: 'larder-app',
            hosts: ['localhost', '127.0.0.1'],
            pages: $this->pages,
            list: $this->list,
            controllers: [FrontPage::class, ItemPage::class, CategoryPage::class, CategoriesPage::class, Feed::class, FindPage::class, ...($this->search->keepsPages() ? [$this->search->controller()] : [])],
            registry: Schema::registry(),
            connect: $this->connect(...),
            areas: [new Area('/feed', self::FEED_TYPE), new Area('/find', ttl: FindPage::TTL), ...($this->search === SearchPolicy::Ttl ? [new Area('/search', ttl: SearchTimed::TTL)] : [])],
            queries: [new Query('/category/[a-z0-9-]+', ['page' => '(?:[2-9]|[1-9][0-9][0-9]?)'])],
            sessionCookie: 'app_session',
            headers: ['X-Content-Type-Options' => 'nosniff', 'Referrer-Policy' => 'same-origin'],
        );
    }

    /** Of what lies in a store that other sites may share. */
    public function namespace(): string
    {
        return 'app-' . hash('xxh64', $this->database);
    }

    public function connect(): RecordingPdo
    {
        $database = new RecordingPdo('sqlite:' . $this->database, Schema::registry());
        $database->exec('PRAGMA busy_timeout = 5000');
        $database->exec('PRAGMA synchronous = NORMAL');

        return $database;
    }
}
