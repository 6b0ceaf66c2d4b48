<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
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
        $id = (int) $request->getAttribute('id');
        $item = $this->items->get($id);

        return $item === null
            ? $this->views->notFound('item ' . $id)
            : $this->views->html('edit.html.twig', ['item' => $item, 'categories' => array_keys($this->items->categories()), 'problems' => []]);
    }
}
