<?php

declare(strict_types=1);

namespace App\Http;

use Larder\Page\Area;
use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Twig\Environment;

/** Renders templates and makes responses of them. */
final readonly class Views
{
    public function __construct(private Environment $twig) {}

    /** @param array<string, mixed> $values */
    public function html(string $template, array $values, int $status = 200): ResponseInterface
    {
        return new Response($status, ['Content-Type' => Area::HTML], $this->twig->render($template, $values));
    }

    /** @param array<string, mixed> $values */
    public function typed(string $type, string $template, array $values): ResponseInterface
    {
        return new Response(200, ['Content-Type' => $type], $this->twig->render($template, $values));
    }

    /** Answers a form: the browser then asks for the page at $uri. */
    public function seeOther(string $uri): ResponseInterface
    {
        return new Response(303, ['Location' => $uri, 'Cache-Control' => 'no-store']);
    }

    public function notFound(string $what): ResponseInterface
    {
        return $this->html('not-found.html.twig', ['what' => $what], 404);
    }
}
