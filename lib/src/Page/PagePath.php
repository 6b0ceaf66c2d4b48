<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The key of a page, taken apart.
 *
 * nginx hands over the key: `/news/4`, `/list?page=2`, or with a time bucket `/@2026-11-21T06:1+00:00/find/foo`. The
 * page's file is the key and SUFFIX. No canonical segment contains the `~` of SUFFIX, so no file is where a directory
 * must be.
 */
final readonly class PagePath
{
    public const SUFFIX = '~page';

    /** Bytes of a key: far below the 255 of a file's name and the 4,096 of a path. */
    public const LONGEST = 200;

    /** Directories that the file of a page may have above it, without one for a time bucket. */
    public const DEEPEST = 15;

    /**
     * A character that a page's path can only have as an escape, in capitals as RFC 3986 has it. Those of `/ ? # %`,
     * of controls, of the backslash, of `@`, with which a time bucket begins, and of what needs none have no page.
     */
    private const ESCAPE = '%(?:2[0-246-9A]|3[B-E]|5[BDE]|60|7[B-D]|[89A-F][0-9A-F])';

    private const SEGMENT = '(?:[A-Za-z0-9_:,+-]|' . self::ESCAPE . ')(?:[A-Za-z0-9._:,+-]|' . self::ESCAPE . ')*';

    /** PCRE without delimiters or anchors. nginx uses the same text. A path has one such form. */
    public const CANONICAL = '/(?:' . self::SEGMENT . '/){0,' . self::DEEPEST . '}(?:' . self::SEGMENT . ')?';

    private function __construct(
        public string $key,
        public string $uri,
        public ?string $bucket,
    ) {}

    /**
     * Takes a key apart. Site::page() also says whether the site has such a page.
     *
     * @return self|null null: the key is too long, or its path is not canonical: it has `..`, `//`, too many segments,
     *     a character that is none of A-Z a-z 0-9 . _ : , + - or an escape that CANONICAL does not have
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

    /** @return int the directories above the page's file, below its release's */
    public function directories(): int
    {
        return substr_count($this->key, '/') - 1;
    }

    public function file(): string
    {
        return $this->key . self::SUFFIX;
    }
}
