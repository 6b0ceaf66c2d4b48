<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What nginx hands over: the page's key, which only nginx computes, whether the client accepts gzip, and the visitor's
 * context.
 *
 * @internal
 */
final readonly class PageRequest
{
    public const KEY = 'LARDER_PAGE';
    public const ENCODING = 'LARDER_ACCEPT_ENCODING';

    /** The URI of the part that nginx asks for, to put it into a page. */
    public const PART = 'LARDER_PART';

    /** The location of nginx that asks PHP for the whole page, with its parts. */
    public const WHOLE = 'LARDER_WHOLE';

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
        public ?string $part = null,
        public string $whole = '',
        public string $context = '',
        /** The visitor's cookies, where no nginx of Larder's stands in front, to find the context; null: one does. */
        public ?string $cookies = null,
    ) {}

    /**
     * The request for a part that no nginx makes: it stands in for one.
     *
     * @param self $page that the part is put into
     */
    public static function ofPart(string $name, self $page): self
    {
        return new self('GET', '', false, $name, context: $page->context, cookies: $page->cookies);
    }

    /** The name of the part that has this URI, on whatever path a site is; empty: it is none's. */
    private static function name(string $uri): string
    {
        return explode(PartName::PLACE, $uri, 2)[1] ?? '';
    }

    /** @param array<array-key, mixed> $server as in $_SERVER */
    public static function of(array $server): self
    {
        $text = static fn(string $name): string => \is_string($server[$name] ?? null) ? $server[$name] : '';

        return new self(
            $text('REQUEST_METHOD'),
            $text(self::KEY),
            $text(self::ENCODING) === self::GZIP,
            $text(self::PART) === '' ? null : self::name($text(self::PART)),
            $text(self::WHOLE),
            $text(Context::PARAMETER),
            isset($server[self::KEY]) ? null : $text('HTTP_COOKIE'),
        );
    }
}
