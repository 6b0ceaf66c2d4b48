<?php

declare(strict_types=1);

namespace App\Http;

use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Answers one kind of request. The values of the route's placeholders are attributes of the request. */
interface Controller
{
    public function answer(ServerRequestInterface $request): ResponseInterface;
}
