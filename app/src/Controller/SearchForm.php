<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\Controller;
use App\Http\Views;
use App\Slug;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** Sends what was typed into the search box to its canonical page: one word is searched for exactly, more as a phrase. */
final readonly class SearchForm implements Controller
{
    public function __construct(private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $asked = $request->getQueryParams()['for'] ?? '';
        $slug = Slug::of(\is_string($asked) ? $asked : '');
        if (\strlen($slug) < 2) {
            return $this->views->html('problem.html.twig', ['problems' => ['for' => 'has no word of two or more letters a to z or digits']], 422);
        }

        return $this->views->seeOther((str_contains($slug, '-') || \strlen($slug) > 30 ? '/find/' : '/search/') . $slug);
    }
}
