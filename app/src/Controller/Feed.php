<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use App\Repository\{Comments, Items};
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** RSS 2.0 of the newest items, of all categories or of one. */
#[Reads('news', 'comment')]
final readonly class Feed implements Controller
{
    public const TYPE = 'application/rss+xml; charset=utf-8';

    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $category = $request->getAttribute('category');
        $category = \is_string($category) ? $category : null;
        $items = $this->items->latest($category);
        if ($items === []) {
            return $this->views->notFound(trim('feed ' . $category));
        }

        return $this->views->typed(self::TYPE, 'feed.xml.twig', [
            'category' => $category,
            'items' => $items,
            'comments' => $this->comments->counts(array_column($items, 'id')),
        ]);
    }
}
