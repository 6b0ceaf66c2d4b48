<?php

declare(strict_types=1);

namespace App\Http;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** Answers one kind of request. What the route matched stands in the request's attributes. */
interface Controller
{
    public function answer(ServerRequestInterface $request): ResponseInterface;
}
