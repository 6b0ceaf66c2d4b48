<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Form, RouteMatch, Views, Visitors};
use App\Prose;
use App\Repository\{Comments, Items, SqlComments};
use Larder\Sql\Ledger\SqlLedger;
use Psr\Clock\ClockInterface;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Adds a comment to an item. */
final readonly class AddComment implements Controller
{
    public function __construct(
        private SqlLedger $ledger,
        private Items $items,
        private Comments $comments,
        private SqlComments $table,
        private ClockInterface $clock,
        private Views $views,
        private Visitors $visitors,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $id = RouteMatch::number($request, 'id');
        $item = $this->items->get($id);
        if ($item === null) {
            return $this->views->notFound('item ' . $id);
        }
        $visitor = $this->visitors->of($request);
        $form = new Form($request, $visitor?->token());
        $author = $form->text('author', 60);
        $text = $form->text('text', 2_000, lines: true);
        if ($form->problems() !== []) {
            return $this->views->html('item.html.twig', [
                'item' => $item,
                'blocks' => Prose::blocks($item['body']),
                'comments' => $this->comments->of($id),
                'typed' => ['author' => $author, 'text' => $text],
                'problems' => $form->problems(),
            ], 422);
        }
        $at = $this->clock->now()->format('Y-m-d H:i:s');
        $this->ledger->transaction(fn() => $this->table->add($id, $author, $text, $at));

        $answer = $this->views->seeOther('/news/' . $id . '#comments');

        return $visitor === null || $visitor->name !== $author
            ? $answer->withHeader('Set-Cookie', $this->visitors->named($author)->cookie())
            : $answer;
    }
}
