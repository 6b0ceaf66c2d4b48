<?php

declare(strict_types=1);

namespace App;

use App\Controller\AddComment;
use App\Controller\CategoriesPage;
use App\Controller\CategoryPage;
use App\Controller\Edit;
use App\Controller\EditForm;
use App\Controller\Feed;
use App\Controller\FindPage;
use App\Controller\FrontPage;
use App\Controller\ItemPage;
use App\Controller\NotFound;
use App\Controller\SearchForm;
use App\Controller\SearchLive;
use App\Controller\SearchPage;
use App\Controller\SearchResult;
use App\Controller\SearchTimed;
use App\Http\Controller;
use App\Http\Kernel;
use App\Http\Route;
use App\Http\Router;
use App\Http\Views;
use App\Repository\CachedComments;
use App\Repository\CachedItems;
use App\Repository\SqlComments;
use App\Repository\SqlItems;
use Closure;
use Larder\Cache;
use Larder\Dependency\RecordingPdo;
use Larder\Metrics\SparingLogger;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Store\NullStore;
use Larder\SystemClock;
use LogicException;
use Monolog\Handler\StreamHandler;
use Monolog\Level;
use Monolog\Logger;
use Monolog\Processor\PsrLogMessageProcessor;
use Nyholm\Psr7\Factory\Psr17Factory;
use Psr\Log\LoggerInterface;
use Twig\Environment;
use Twig\Loader\FilesystemLoader;

/** The site put together: the only place that knows which part needs which. */
final readonly class Application
{
    /**
     * @param Site|null   $site        with controllers beside the configured ones
     * @param list<Route> $routes      to them
     * @param (Closure(class-string<Controller>, RecordingPdo): Controller)|null $controllers makes them
     */
    public static function kernel(Configuration $configuration, ?Site $site = null, array $routes = [], ?Closure $controllers = null): Kernel
    {
        $site ??= $configuration->site();
        $database = $configuration->connect();
        $pages = Pages::of($site);
        $ledger = $pages->ledger($database);
        $log = self::log($configuration);
        $table = new SqlItems($database, $site->registry);
        $remarks = new SqlComments($database, $site->registry);
        $cache = self::cache($configuration, $pages, $database, $log);
        $items = $cache === null ? $table : new CachedItems($table, $cache, $site->registry);
        $comments = $cache === null ? $remarks : new CachedComments($remarks, $cache, $site->registry);
        $views = new Views(self::twig($configuration));
        $search = $configuration->search === SearchPolicy::None ? new SearchResult($table, $remarks, $views) : new SearchResult($items, $comments, $views);
        $factory = new Psr17Factory();
        $middleware = [new Router([...$routes, ...self::routes($configuration->search)])];
        if ($configuration->pagesCache) {
            $middleware[] = $pages->middleware($database, $factory, $factory, $log);
        }

        return new Kernel($middleware, static fn(string $class): Controller => match ($class) {
            FrontPage::class => new FrontPage($items, $comments, $views),
            ItemPage::class => new ItemPage($items, $comments, $views),
            CategoryPage::class => new CategoryPage($items, $comments, $views),
            CategoriesPage::class => new CategoriesPage($items, $views),
            Feed::class => new Feed($items, $comments, $views),
            SearchLive::class => new SearchLive($search, $configuration->search),
            SearchPage::class => new SearchPage($search),
            SearchTimed::class => new SearchTimed($search),
            FindPage::class => new FindPage($items, $comments, $views),
            SearchForm::class => new SearchForm($views),
            EditForm::class => new EditForm($items, $views),
            Edit::class => new Edit($ledger, $items, $table, $views),
            AddComment::class => new AddComment($ledger, $items, $comments, $remarks, new SystemClock(), $views),
            NotFound::class => new NotFound($views),
            default => $controllers === null ? throw new LogicException('No way to make a ' . $class) : $controllers($class, $database),
        });
    }

    /** @return list<Route> */
    public static function routes(SearchPolicy $search = SearchPolicy::Exact): array
    {
        $id = ['id' => '[1-9][0-9]{0,8}'];

        return [
            new Route('GET', '/', FrontPage::class),
            new Route('GET', '/news/{id}', ItemPage::class, $id),
            new Route('GET', '/news/{id}/edit', EditForm::class, $id),
            new Route('POST', '/news/{id}/edit', Edit::class, $id),
            new Route('POST', '/news/{id}/comment', AddComment::class, $id),
            new Route('GET', '/categories', CategoriesPage::class),
            new Route('GET', '/category/{category}', CategoryPage::class, ['category' => Slug::PATTERN]),
            new Route('GET', '/feed', Feed::class),
            new Route('GET', '/feed/{category}', Feed::class, ['category' => Slug::PATTERN]),
            new Route('GET', '/search', SearchForm::class),
            new Route('GET', '/search/{word}', $search->controller(), ['word' => '[a-z0-9]{2,30}']),
            new Route('GET', '/find/{phrase}', FindPage::class, ['phrase' => Slug::PATTERN]),
        ];
    }

    private static function twig(Configuration $configuration): Environment
    {
        $twig = new Environment(new FilesystemLoader(\dirname(__DIR__) . '/templates'), [
            'cache' => $configuration->var . '/twig',
            'auto_reload' => false,
            'strict_variables' => true,
            'autoescape' => 'name',
        ]);
        $twig->addGlobal('base', $configuration->baseUrl);

        return $twig;
    }

    /** Null: there is nothing to keep values in, or they are not to be kept. */
    private static function cache(Configuration $configuration, Pages $pages, RecordingPdo $database, LoggerInterface $log): ?Cache
    {
        if (!$configuration->cache) {
            return null;
        }
        $counters = $pages->counters();
        $store = (new ValueStore($configuration->namespace(), $configuration->storeTimeout, $log, $counters))->of($configuration->store);

        return $store instanceof NullStore ? null : new Cache($store, $pages->versions($database), log: $log, counters: $counters);
    }

    /** One line a second of each kind: a server that is gone would fill the disk otherwise. */
    private static function log(Configuration $configuration): LoggerInterface
    {
        $log = new Logger('larder', [new StreamHandler($configuration->var . '/larder.log', Level::Warning)], [new PsrLogMessageProcessor(removeUsedContextFields: true)]);

        return new SparingLogger($log, $configuration->var . '/said');
    }
}
