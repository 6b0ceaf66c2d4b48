<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Larder\Page\Attribute\{Reads, Ttl};
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The policy ttl: the page may be stale for some seconds, and a change costs nothing. */
#[Reads('news', 'comment', 'word')]
#[Ttl(SearchPolicy::TTL)]
final readonly class SearchTimed implements Controller
{
    public function __construct(private SearchResult $search) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, SearchPolicy::Ttl);
    }
}
