<?php

declare(strict_types=1);

namespace Larder\Page;

/** What requests of a site bring along beside the URL: the visitor's session, context and headers. */
final readonly class Visitors
{
    /**
     * @param list<string> $sessionCookies a request with one of them bypasses the pages, as one with an Authorization
     *     header does; `*` at the end stands for any: `wordpress_logged_in_*`
     * @param list<non-empty-string> $passHeaders request headers that PHP gets when a page could be stored. If a render
     *     reads one from the PSR-7 request, its page is not stored. Superglobals do not have them; getenv() and
     *     getallheaders() do, and Larder does not notice
     * @param Contexts|null $contexts that parts of a page differ by; null: they differ by none
     */
    public function __construct(
        public array $sessionCookies = ['PHPSESSID'],
        public array $passHeaders = [],
        public ?Contexts $contexts = null,
    ) {}
}
