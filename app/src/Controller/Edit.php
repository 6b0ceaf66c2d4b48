<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Form, RouteMatch, Views};
use App\Repository\{Items, SqlItems};
use Larder\Sql\Ledger\SqlLedger;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Replaces an item's texts and category. */
final readonly class Edit implements Controller
{
    public function __construct(
        private SqlLedger $ledger,
        private Items $items,
        private SqlItems $table,
        private Views $views,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);
        if ($item === null) {
            return $this->views->notFound('item ' . $id);
        }
        $form = new Form($request);
        $title = $form->text('title', 200);
        $summary = $form->text('summary', 300);
        $body = $form->text('body', 20_000, lines: true);
        $category = $form->text('category', 60);
        $categories = array_map(strval(...), array_keys($this->items->categories()));
        if (!\in_array($category, $categories, true)) {
            $form->refuse('category', 'is none of the categories');
            $category = $item['category'];
        }
        if ($form->problems() !== []) {
            $typed = ['title' => $title, 'summary' => $summary, 'body' => $body, 'category' => $category] + $item;
            $shown = ['item' => $typed, 'categories' => $categories, 'problems' => $form->problems()];

            return $this->views->html('edit.html.twig', $shown, 422);
        }
        $this->ledger->transaction(
            fn() => $this->table->edit($id, $title, $summary, $body, $category),
        );

        return $this->views->seeOther('/news/' . $id);
    }
}
