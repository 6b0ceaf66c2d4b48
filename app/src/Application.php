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
use App\Controller\SearchPage;
use App\Http\Controller;
use App\Http\Kernel;
use App\Http\Route;
use App\Http\Router;
use App\Http\Views;
use App\Repository\Comments;
use App\Repository\Items;
use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Middleware;
use Larder\Page\PageCache;
use Larder\Page\Site;
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
        $ledger = $site->ledger($database);
        $items = new Items($database, $site->registry);
        $comments = new Comments($database, $site->registry);
        $views = new Views(self::twig($configuration));
        $factory = new Psr17Factory();
        $middleware = [new Router([...$routes, ...self::routes()])];
        if ($configuration->cache) {
            $middleware[] = new Middleware(PageCache::of($site, $database, self::log($configuration)), $factory, $factory);
        }

        return new Kernel($middleware, static fn(string $class): Controller => match ($class) {
            FrontPage::class => new FrontPage($items, $comments, $views),
            ItemPage::class => new ItemPage($items, $comments, $views),
            CategoryPage::class => new CategoryPage($items, $comments, $views),
            CategoriesPage::class => new CategoriesPage($items, $views),
            Feed::class => new Feed($items, $comments, $views),
            SearchPage::class => new SearchPage($items, $comments, $views),
            FindPage::class => new FindPage($items, $comments, $views),
            SearchForm::class => new SearchForm($views),
            EditForm::class => new EditForm($items, $views),
            Edit::class => new Edit($ledger, $items, $views),
            AddComment::class => new AddComment($ledger, $items, $comments, new SystemClock(), $views),
            NotFound::class => new NotFound($views),
            default => $controllers === null ? throw new LogicException('No way to make a ' . $class) : $controllers($class, $database),
        });
    }

    /** @return list<Route> */
    public static function routes(): array
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
            new Route('GET', '/search/{word}', SearchPage::class, ['word' => '[a-z0-9]{2,30}']),
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

    private static function log(Configuration $configuration): LoggerInterface
    {
        return new Logger('larder', [new StreamHandler($configuration->var . '/larder.log', Level::Warning)], [new PsrLogMessageProcessor(removeUsedContextFields: true)]);
    }
}
