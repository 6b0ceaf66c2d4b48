<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\Http\RouteMatch;
use App\Http\Views;
use App\Repository\Items;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** The form to edit an item. Declares nothing, so it is never stored. */
final readonly class EditForm implements Controller
{
    public function __construct(
        private Items $items,
        private Views $views,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);

        return $item === null
            ? $this->views->notFound('item ' . $id)
            : $this->views->html('edit.html.twig', ['item' => $item, 'categories' => array_map(strval(...), array_keys($this->items->categories())), 'problems' => []]);
    }
}
