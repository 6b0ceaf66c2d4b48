<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{RouteMatch, Views};
use App\Repository\{Comments, Items};
use App\SearchPolicy;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The items whose titles contain a word. Nobody knows beforehand on which of these pages an item stands. */
final readonly class SearchResult
{
    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request, SearchPolicy $policy): ResponseInterface
    {
        $word = RouteMatch::word($request, 'word');
        $items = $this->items->withWord($word);

        return $this->views->html('search.html.twig', [
            'asked' => $word,
            'items' => $items,
            'most' => Items::PER_PAGE,
            'comments' => $this->comments->counts(array_column($items, 'id')),
            'policy' => $policy->value,
            'ttl' => SearchPolicy::TTL,
            'at' => gmdate('H:i:s'),
        ]);
    }
}
