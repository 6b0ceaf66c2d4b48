<?php

declare(strict_types=1);

namespace App\Http;

use Closure;
use Larder\Page\Middleware;
use LogicException;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** A request through the middleware, one after the other, to the controller that the router found. */
final readonly class Kernel implements RequestHandlerInterface
{
    /**
     * @param list<MiddlewareInterface>                            $middleware the outermost first
     * @param Closure(class-string<Controller>): Controller $controllers
     */
    public function __construct(
        private array $middleware,
        private Closure $controllers,
    ) {}

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if ($this->middleware !== []) {
            return $this->middleware[0]->process($request, new self(\array_slice($this->middleware, 1), $this->controllers));
        }
        $class = $request->getAttribute(Middleware::CONTROLLER);
        if (!\is_string($class) || !is_subclass_of($class, Controller::class)) {
            throw new LogicException('The router stands before the kernel\'s end and names a controller.');
        }

        return ($this->controllers)($class)->answer($request);
    }
}
