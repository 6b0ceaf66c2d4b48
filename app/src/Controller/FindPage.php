<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, RouteMatch, Views};
use App\Repository\{Comments, Items};
use App\Slug;
use Larder\Page\Attribute\{Reads, Ttl};
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Items with a phrase anywhere in their text. No name covers such rows, so the page has a ttl instead. */
#[Reads('news', 'comment')]
#[Ttl(self::TTL)]
final readonly class FindPage implements Controller
{
    public const TTL = 10;

    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $slug = RouteMatch::word($request, 'phrase');
        if (\strlen($slug) > Slug::LONGEST) {
            return $this->views->notFound('phrase of more than ' . Slug::LONGEST . ' characters to look for');
        }
        $phrase = str_replace('-', ' ', $slug);
        $items = $this->items->withPhrase($phrase);

        return $this->views->html('search.html.twig', [
            'asked' => $phrase,
            'items' => $items,
            'most' => Items::PER_PAGE,
            'comments' => $this->comments->counts(array_column($items, 'id')),
            'policy' => 'phrase',
            'ttl' => self::TTL,
            'at' => gmdate('H:i:s'),
        ]);
    }
}
