<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Where a page lies below its release's directory, and which URIs may become one.
 *
 * A key is what nginx hands over: `/news/4`, `/list?page=2`, or with a time bucket in front `/@2026-11-21T06:1+00:00/find/foo`.
 * The file is the key and SUFFIX. No canonical segment contains SUFFIX's `~`, so a file never stands where a directory must.
 */
final readonly class PagePath
{
    public const SUFFIX = '~page';

    /** Bytes of a whole key: each segment stays far below a file name's 255 and a path's 4,096. */
    public const LONGEST = 200;

    /** PCRE, without delimiters or anchors; nginx is given the same text. */
    public const CANONICAL = '/(?:[A-Za-z0-9_:,+-][A-Za-z0-9._:,+-]*/)*(?:[A-Za-z0-9_:,+-][A-Za-z0-9._:,+-]*)?';

    private function __construct(
        public string $key,
        public string $uri,
        public ?string $bucket,
    ) {}

    /**
     * Splits a key. Whether the site has such a page is Site::page()'s to say.
     *
     * @return self|null null: the key is too long, or its path has `..`, `%`, `;`, `//` or a character outside A-Z a-z 0-9 . _ : , + -
     */
    public static function of(string $key): ?self
    {
        $bucket = null;
        $uri = $key;
        if (preg_match('~^/@([0-9T:.+-]{3,40})(/.*)$~Ds', $key, $matches) === 1) {
            [, $bucket, $uri] = $matches;
        }
        $page = new self($key, $uri, $bucket);

        return \strlen($key) <= self::LONGEST && self::isCanonical($page->path()) ? $page : null;
    }

    public static function isCanonical(string $path): bool
    {
        return \strlen($path) <= self::LONGEST && preg_match('~^' . self::CANONICAL . '$~D', $path) === 1;
    }

    public function path(): string
    {
        return explode('?', $this->uri, 2)[0];
    }

    public function hasQuery(): bool
    {
        return str_contains($this->uri, '?');
    }

    public function file(): string
    {
        return $this->key . self::SUFFIX;
    }
}
