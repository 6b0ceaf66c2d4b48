<?php

declare(strict_types=1);

namespace App\Http;

use Closure;
use Larder\Page\Middleware;
use LogicException;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
use Psr\Http\Server\{MiddlewareInterface, RequestHandlerInterface};

/** Passes a request through the middleware to the controller that the router found. */
final readonly class Kernel implements RequestHandlerInterface
{
    /**
     * @param list<MiddlewareInterface>                     $middleware  the outermost first
     * @param Closure(class-string<Controller>): Controller $controllers
     */
    public function __construct(private array $middleware, private Closure $controllers) {}

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if ($this->middleware !== []) {
            $inner = new self(\array_slice($this->middleware, 1), $this->controllers);

            return $this->middleware[0]->process($request, $inner);
        }
        $class = $request->getAttribute(Middleware::CONTROLLER);
        if (!\is_string($class) || !is_subclass_of($class, Controller::class)) {
            throw new LogicException('No middleware named a controller.');
        }

        return ($this->controllers)($class)->answer($request);
    }
}
