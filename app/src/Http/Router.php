<?php

declare(strict_types=1);

namespace App\Http;

use App\Controller\NotFound;
use Larder\Page\Middleware;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
use Psr\Http\Server\{MiddlewareInterface, RequestHandlerInterface};
use Symfony\Component\Routing\Exception\{MethodNotAllowedException, ResourceNotFoundException};
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route as SymfonyRoute;
use Symfony\Component\Routing\RouteCollection;

/** Finds the controller. It stands before the page cache, which asks what that controller declares. */
final readonly class Router implements MiddlewareInterface
{
    private RouteCollection $routes;

    /** @param list<Route> $routes */
    public function __construct(array $routes)
    {
        $this->routes = new RouteCollection();
        foreach ($routes as $number => $route) {
            $defaults = ['controller' => $route->controller];
            $compiled = new SymfonyRoute($route->path, $defaults, $route->requirements, methods: [$route->method]);
            $this->routes->add((string) $number, $compiled);
        }
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $method = $request->getMethod() === 'HEAD' ? 'GET' : $request->getMethod();
        try {
            $matcher = new UrlMatcher($this->routes, new RequestContext(method: $method));
            $found = $matcher->match($request->getUri()->getPath());
        } catch (ResourceNotFoundException|MethodNotAllowedException) {
            $found = ['controller' => NotFound::class];
        }
        foreach ($found as $name => $value) {
            $attribute = $name === 'controller' ? Middleware::CONTROLLER : (string) $name;
            $request = $request->withAttribute($attribute, $value);
        }

        return $handler->handle($request);
    }
}
