<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, RouteMatch, Views};
use App\Repository\{Comments, Items};
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The items of one category, page by page. The first page has no query; `?page=1` is not canonical and not found. */
#[Reads('news', 'comment')]
final readonly class CategoryPage implements Controller
{
    public function __construct(private Items $items, private Comments $comments, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $category = RouteMatch::word($request, 'category');
        $asked = $request->getQueryParams()['page'] ?? null;
        $page = \is_string($asked) && preg_match('/^[1-9][0-9]{0,2}$/D', $asked) === 1 ? (int) $asked : 1;
        $count = $this->items->count($category);
        $pages = (int) ceil($count / Items::PER_PAGE);
        if ($page > $pages || ($asked !== null && $page === 1)) {
            $of = \is_string($asked) ? "page $asked of " : 'page ? of ';

            return $this->views->notFound(($count === 0 ? 'category ' : $of) . $category);
        }
        $items = $this->items->page($category, $page);

        return $this->views->html('category.html.twig', [
            'category' => $category,
            'items' => $items,
            'comments' => $this->comments->counts(array_column($items, 'id')),
            'count' => $count,
            'page' => $page,
            'pages' => $pages,
        ]);
    }
}
