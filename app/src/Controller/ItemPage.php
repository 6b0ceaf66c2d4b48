<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, RouteMatch, Views};
use App\Prose;
use App\Repository\{Comments, Items};
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** One item with its comments and the form for one more. */
#[Reads('news', 'comment')]
final readonly class ItemPage implements Controller
{
    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);

        return $item === null
            ? $this->views->notFound('item ' . $id)
            : $this->views->html('item.html.twig', [
                'item' => $item,
                'blocks' => Prose::blocks($item['body']),
                'comments' => $this->comments->of($id),
                'typed' => ['author' => '', 'text' => ''],
                'problems' => [],
            ]);
    }
}
