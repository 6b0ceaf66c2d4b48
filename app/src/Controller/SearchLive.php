<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The policies none and ids: no page is stored, so it is always current. They differ in where the items come from. */
final readonly class SearchLive implements Controller
{
    public function __construct(private SearchResult $search, private SearchPolicy $policy) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, $this->policy);
    }
}
