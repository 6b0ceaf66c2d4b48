<?php

declare(strict_types=1);

namespace App\Controller;

use App\Http\{Controller, Views, Visitors};
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

/** The private part visitor/fields of a form: the visitor's name and CSRF token. It is made for each request. */
final readonly class VisitorFields implements Controller
{
    public function __construct(private Visitors $visitors, private Views $views) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $visitor = $this->visitors->of($request);

        return $this->views->html('part/visitor.html.twig', [
            'name' => $visitor->name ?? '',
            'token' => $visitor?->token() ?? '',
            'problems' => [],
        ]);
    }
}
