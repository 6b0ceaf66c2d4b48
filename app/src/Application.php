<?php

declare(strict_types=1);

namespace App;

use App\Controller\{
    AddComment, CategoriesPage, CategoryPage, CommentForm, Edit, EditForm, Feed, FindPage, FrontPage, ItemPage,
    LatestBox, NotFound, SearchForm, SearchLive, SearchPage, SearchResult, SearchTimed, VisitorFields,
};
use App\Http\{Controller, Kernel, Route, Router, Views, Visitors};
use App\Repository\{CachedComments, CachedItems, SqlComments, SqlItems};
use Closure;
use Larder\{Cache, SystemClock};
use Larder\Metrics\SparingLogger;
use Larder\Page\{Pages, PartName, Parts, Site};
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\NullStore;
use LogicException;
use Monolog\Handler\StreamHandler;
use Monolog\{Level, Logger};
use Monolog\Processor\PsrLogMessageProcessor;
use Nyholm\Psr7\Factory\Psr17Factory;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
use Psr\Log\LoggerInterface;
use Twig\{Environment, TwigFunction};
use Twig\Loader\FilesystemLoader;

/** Puts the site together: the only place that knows which part needs which. */
final readonly class Application
{
    /**
     * @param Site|null   $site        a site that has more controllers than the configured one
     * @param list<Route> $routes      the routes of these controllers
     * @param (Closure(class-string<Controller>, RecordingPdo): Controller)|null $controllers makes these controllers
     */
    public static function kernel(
        Configuration $configuration,
        ?Site $site = null,
        array $routes = [],
        ?Closure $controllers = null,
    ): Kernel {
        $site ??= $configuration->site();
        $database = $configuration->connect();
        $pages = Pages::of($site);
        $ledger = $pages->ledger($database);
        $log = self::log($configuration);
        $table = new SqlItems($database);
        $remarks = new SqlComments($database);
        $cache = self::cache($configuration, $pages, $database, $log);
        $items = $cache === null ? $table : new CachedItems($table, $cache);
        $comments = $cache === null ? $remarks : new CachedComments($remarks, $cache);
        $parts = $pages->parts();
        $visitors = new Visitors($parts);
        $views = new Views(self::twig($configuration, $pages->release()->id ?? 'none', $parts));
        $search = $configuration->search === SearchPolicy::None
            ? new SearchResult($table, $remarks, $views)
            : new SearchResult($items, $comments, $views);
        $factory = new Psr17Factory();
        $middleware = [new Router([...$routes, ...self::routes($configuration->searchController())])];
        /** @var Kernel|null $kernel made below, of this very middleware */
        $kernel = null;
        $whole = static function (ServerRequestInterface $request) use (&$kernel): ResponseInterface {
            return $kernel instanceof Kernel ? $kernel->handle($request) : throw new LogicException('It is not made.');
        };
        $middleware[] = $configuration->pagesCache
            ? $pages->middleware($database, $factory, $factory, $log, parts: $parts, whole: $whole)
            : $pages->assembly($factory, $factory, $parts, $whole, $log);

        return $kernel = new Kernel($middleware, static fn(string $class): Controller => match ($class) {
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
            AddComment::class => new AddComment(
                $ledger,
                $items,
                $comments,
                $remarks,
                new SystemClock(),
                $views,
                $visitors,
            ),
            CommentForm::class => new CommentForm($items, $views),
            LatestBox::class => new LatestBox($items, $views),
            VisitorFields::class => new VisitorFields($visitors, $views),
            NotFound::class => new NotFound($views),
            default => $controllers === null
                ? throw new LogicException('Nothing makes a ' . $class)
                : $controllers($class, $database),
        });
    }

    /**
     * @param class-string<Controller> $search
     *
     * @return list<Route>
     */
    private static function routes(string $search): array
    {
        $id = ['id' => '[1-9][0-9]{0,8}'];

        return [
            new Route('GET', '/', FrontPage::class),
            new Route('GET', '/news/{id}', ItemPage::class, $id),
            new Route('GET', '/news/{id}/edit', EditForm::class, $id),
            new Route('POST', '/news/{id}/edit', Edit::class, $id),
            new Route('GET', '/news/{id}/comment', CommentForm::class, $id),
            new Route('POST', '/news/{id}/comment', AddComment::class, $id),
            new Route('GET', PartName::PLACE . 'box/latest', LatestBox::class),
            new Route('GET', PartName::PLACE . 'visitor/fields', VisitorFields::class),
            new Route('GET', '/categories', CategoriesPage::class),
            new Route('GET', '/category/{category}', CategoryPage::class, ['category' => Slug::PATTERN]),
            new Route('GET', '/feed', Feed::class),
            new Route('GET', '/feed/{category}', Feed::class, ['category' => Slug::PATTERN]),
            new Route('GET', '/search', SearchForm::class),
            new Route('GET', '/search/{word}', $search, ['word' => '[a-z0-9]{2,30}']),
            new Route('GET', '/find/{phrase}', FindPage::class, ['phrase' => Slug::PATTERN]),
        ];
    }

    /** Each release compiles its templates anew: Larder does not see of what a compiled one was made, and when. */
    private static function twig(Configuration $configuration, string $release, Parts $parts): Environment
    {
        $twig = new Environment(new FilesystemLoader(\dirname(__DIR__) . '/templates'), [
            'cache' => $configuration->var . '/twig/' . $release,
            'auto_reload' => false,
            'strict_variables' => true,
            'autoescape' => 'name',
        ]);
        $twig->addGlobal('base', $configuration->baseUrl);
        $twig->addGlobal('notes', $configuration->notes);

        $twig->addFunction(new TwigFunction('part', $parts->include(...), ['is_safe' => ['html']]));

        return $twig;
    }

    /** @return Cache|null null: the site keeps no values */
    private static function cache(
        Configuration $configuration,
        Pages $pages,
        RecordingPdo $database,
        LoggerInterface $log,
    ): ?Cache {
        if (!$configuration->cache) {
            return null;
        }
        $counters = $pages->counters();
        $stores = new ValueStore($configuration->namespace(), $configuration->storeTimeout, $log, $counters);
        $store = $stores->of($configuration->store);

        return $store instanceof NullStore
            ? null
            : $pages->cache($store, $database, log: $log, counters: $counters);
    }

    /** Writes one line a second of each kind: otherwise a server that is gone would fill the disk. */
    private static function log(Configuration $configuration): LoggerInterface
    {
        $file = new StreamHandler($configuration->var . '/larder.log', Level::Warning);
        $log = new Logger('larder', [$file], [new PsrLogMessageProcessor(removeUsedContextFields: true)]);

        return new SparingLogger($log, $configuration->var . '/said', 1.0);
    }
}
