<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** The policies none and ids, which differ in where the items come from: no page is stored, so it is always current. */
final readonly class SearchLive implements Controller
{
    public function __construct(
        private SearchResult $search,
        private SearchPolicy $policy,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, $this->policy);
    }
}
