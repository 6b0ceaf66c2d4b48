<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use App\Repository\Items;
use Larder\Page\Attribute\Reads;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The part box/latest: the newest items, for all visitors. An edit makes it anew, and not the pages around it. */
#[Reads('news')]
final readonly class LatestBox implements Controller
{
    private const ITEMS = 5;

    public function __construct(private Items $items, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $items = \array_slice($this->items->latest(), 0, self::ITEMS);

        return $this->views->html('part/latest.html.twig', ['items' => $items]);
    }
}
