<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, RouteMatch, Views};
use App\Repository\Items;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The form for a comment on a page of its own. The page is the same for all visitors; its parts are not. */
#[Reads('news')]
final readonly class CommentForm implements Controller
{
    public function __construct(private Items $items, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);

        return $item === null
            ? $this->views->notFound('item ' . $id)
            : $this->views->html('comment.html.twig', ['item' => $item]);
    }
}
