<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use App\Repository\{Comments, Items};
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The newest items of all categories. */
#[Reads('news', 'comment')]
final readonly class FrontPage implements Controller
{
    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $items = $this->items->latest();
        $comments = $this->comments->counts(array_column($items, 'id'));

        return $this->views->html('front.html.twig', ['items' => $items, 'comments' => $comments]);
    }
}
