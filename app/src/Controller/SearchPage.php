<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\SearchPolicy;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** The policy exact: the page goes the moment an item gains or loses the word, or an item that it shows is edited. */
#[Reads('news', 'comment', 'word')]
final readonly class SearchPage implements Controller
{
    public function __construct(private SearchResult $search) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->search->answer($request, SearchPolicy::Exact);
    }
}
