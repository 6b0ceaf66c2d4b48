<?php

declare(strict_types=1);

namespace Larder\Page;

/** What nginx hands over: the page's key, which only nginx computes, and whether the client accepts gzip. */
final readonly class PageRequest
{
    public const KEY = 'LARDER_PAGE';
    public const ENCODING = 'LARDER_ACCEPT_ENCODING';

    /** What nginx makes of an Accept-Encoding with gzip. It passes no other word of it to PHP. */
    public const GZIP = 'gzip';

    /**
     * Decides as nginx does for gzip_static (ngx_http_gzip_accept_encoding): the word gzip, with a quality above 0.
     *
     * @var array<string, string> word by PCRE without delimiters; the first that matches counts
     */
    public const ENCODINGS = [
        '(?i)(?:^|[\s,])gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)' => '',
        '(?i)(?:^|[\s,])gzip(?:\s*;\s*q=[0-9.]+)?\s*(?:,|$)' => self::GZIP,
    ];

    public function __construct(
        public string $method,
        public string $key,
        public bool $acceptsGzip,
    ) {}

    /** @param array<array-key, mixed> $server as in $_SERVER */
    public static function of(array $server): self
    {
        $text = static fn(string $name): string => \is_string($server[$name] ?? null) ? $server[$name] : '';

        return new self($text('REQUEST_METHOD'), $text(self::KEY), $text(self::ENCODING) === self::GZIP);
    }
}
