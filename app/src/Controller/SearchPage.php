<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\Http\RouteMatch;
use App\Http\Views;
use App\Repository\Comments;
use App\Repository\Items;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** Items with one word in the title. Exact: the word is a column, so the set of rows has a name. */
#[Reads('news', 'word', 'comment')]
final readonly class SearchPage implements Controller
{
    public function __construct(
        private Items $items,
        private Comments $comments,
        private Views $views,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $word = RouteMatch::word($request, 'word');
        $items = $this->items->withWord($word);

        return $this->views->html('search.html.twig', [
            'asked' => $word,
            'items' => $items,
            'most' => Items::PER_PAGE,
            'comments' => $this->comments->counts(array_column($items, 'id')),
            'ttl' => null,
        ]);
    }
}
