<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use App\Repository\Items;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** All categories with their sizes. */
#[Reads('news')]
final readonly class CategoriesPage implements Controller
{
    public function __construct(private Items $items, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        return $this->views->html('categories.html.twig', ['categories' => $this->items->categories()]);
    }
}
