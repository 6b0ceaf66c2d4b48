<?php

declare(strict_types=1);

namespace Larder\Page;

/** What nginx handed over: the page's key, computed there once and never derived again, and the form the client accepts. */
final readonly class PageRequest
{
    public const KEY = 'LARDER_PAGE';
    public const ENCODING = 'LARDER_ACCEPT_ENCODING';

    public function __construct(
        public string $method,
        public string $key,
        public bool $acceptsGzip,
    ) {}

    /** @param array<array-key, mixed> $server as in $_SERVER */
    public static function of(array $server): self
    {
        $text = static fn(string $name): string => \is_string($server[$name] ?? null) ? $server[$name] : '';

        return new self($text('REQUEST_METHOD'), $text(self::KEY), self::acceptsGzip($text(self::ENCODING)));
    }

    /** As nginx judges it for gzip_static (ngx_http_gzip_accept_encoding): the word gzip, unless its quality is 0. */
    private static function acceptsGzip(string $accepted): bool
    {
        return preg_match('/(?:^|[ ,])gzip(?:[ \t]*;[ \t]*q=(?<quality>[0-9.]+))?[ \t]*(?:,|$)/i', $accepted, $matches) === 1
            && (float) ($matches['quality'] ?? '1') > 0;
    }
}
