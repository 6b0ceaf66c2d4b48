<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Larder\Page\Attribute\Reads;
use Larder\Page\Attribute\Ttl;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** The policy ttl: the page is stale for a bit, and nothing that is changed costs anything. */
#[Reads('news', 'comment', 'word')]
#[Ttl(self::TTL)]
final readonly class SearchTimed implements Controller
{
    public const TTL = 5;

    public function __construct(private SearchResult $search) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, SearchPolicy::Ttl);
    }
}
