<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views};
use App\Slug;
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** Redirects the search box to a canonical page: one word is searched for exactly, more words as a phrase. */
final readonly class SearchForm implements Controller
{
    public function __construct(private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $asked = $request->getQueryParams()['for'] ?? '';
        $slug = Slug::of(\is_string($asked) ? $asked : '');
        if (\strlen($slug) < 2) {
            $problems = ['for' => 'has no word of two or more letters a to z or digits'];

            return $this->views->html('problem.html.twig', ['problems' => $problems], 422);
        }
        $isPhrase = str_contains($slug, '-') || \strlen($slug) > 30;

        return $this->views->seeOther(($isPhrase ? '/find/' : '/search/') . $slug);
    }
}
