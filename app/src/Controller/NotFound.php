<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Answers what no route matches. */
final readonly class NotFound implements Controller
{
    public function __construct(private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->views->notFound('page ' . $request->getUri()->getPath());
    }
}
