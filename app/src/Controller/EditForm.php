<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, RouteMatch, Views};
use App\Repository\Items;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The form to edit an item. It declares no #[Reads], so it is never stored. */
final readonly class EditForm implements Controller
{
    public function __construct(private Items $items, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);
        $categories = array_map(strval(...), array_keys($this->items->categories()));

        return $item === null
            ? $this->views->notFound('item ' . $id)
            : $this->views->html('edit.html.twig', ['item' => $item, 'categories' => $categories, 'problems' => []]);
    }
}
