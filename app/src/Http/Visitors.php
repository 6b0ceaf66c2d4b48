<?php

declare(strict_types=1);

namespace App\Http;

use Larder\Page\Parts;
use Psr\Http\Message\ServerRequestInterface;

/** Knows a visitor again by his cookie. It is none of the site's session cookies, so pages stay hits for him. */
final readonly class Visitors
{
    public function __construct(private Parts $parts) {}

    public function of(ServerRequestInterface $request): ?Visitor
    {
        $this->parts->private('the visitor');
        $cookie = $request->getCookieParams()[Visitor::COOKIE] ?? null;
        if (!\is_string($cookie) || preg_match('/^([0-9a-f]{32})\.([A-Za-z0-9_-]{0,240})$/D', $cookie, $found) !== 1) {
            return null;
        }

        return new Visitor($found[1], mb_scrub((string) base64_decode(strtr($found[2], '-_', '+/'), true), 'UTF-8'));
    }

    public function named(string $name): Visitor
    {
        return new Visitor(bin2hex(random_bytes(16)), $name);
    }
}
