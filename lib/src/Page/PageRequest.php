<?php

declare(strict_types=1);

namespace Larder\Page;

/** What nginx hands over: the page's key, which only nginx computes, and whether the client accepts gzip. */
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

    /** Decides as nginx does for gzip_static (ngx_http_gzip_accept_encoding): the word gzip, with a quality above 0. */
    private static function acceptsGzip(string $accepted): bool
    {
        return preg_match(
            '/(?:^|[ ,])gzip(?:[ \t]*;[ \t]*q=(?<quality>[0-9.]+))?[ \t]*(?:,|$)/i',
            $accepted,
            $matches,
        ) === 1
            && (float) ($matches['quality'] ?? '1') > 0;
    }
}
