<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The policy exact: the page is dropped when an item gains or loses the word, or when an item on it is edited. */
#[Reads('news', 'comment', 'word', trust: true)]
final readonly class SearchPage implements Controller
{
    public function __construct(private SearchResult $search) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, SearchPolicy::Exact);
    }
}
