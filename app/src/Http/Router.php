<?php

declare(strict_types=1);

namespace App\Http;

use App\Controller\NotFound;
use Larder\Page\Middleware;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Symfony\Component\Routing\Exception\MethodNotAllowedException;
use Symfony\Component\Routing\Exception\ResourceNotFoundException;
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route as SymfonyRoute;
use Symfony\Component\Routing\RouteCollection;

/** Finds the controller, before the page cache asks what that controller declares. */
final readonly class Router implements MiddlewareInterface
{
    private RouteCollection $routes;

    /** @param list<Route> $routes */
    public function __construct(array $routes)
    {
        $this->routes = new RouteCollection();
        foreach ($routes as $number => $route) {
            $this->routes->add((string) $number, new SymfonyRoute($route->path, ['controller' => $route->controller], $route->requirements, methods: [$route->method]));
        }
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $method = $request->getMethod() === 'HEAD' ? 'GET' : $request->getMethod();
        try {
            $found = (new UrlMatcher($this->routes, new RequestContext(method: $method)))->match($request->getUri()->getPath());
        } catch (ResourceNotFoundException|MethodNotAllowedException) {
            $found = ['controller' => NotFound::class];
        }
        foreach ($found as $name => $value) {
            $request = $request->withAttribute($name === 'controller' ? Middleware::CONTROLLER : (string) $name, $value);
        }

        return $handler->handle($request);
    }
}
