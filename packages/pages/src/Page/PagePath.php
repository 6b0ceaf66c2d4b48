<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The key of a page, taken apart.
 *
 * nginx hands over the key: `/news/4`, `/list?page=2`, or with a time bucket `/@2026-11-21T06:1+00:00/find/foo`. The
 * page's file is the key and SUFFIX. No canonical segment contains the `~` of SUFFIX, so no file is where a directory
 * must be.
 *
 * A page with parts is kept as a shell: `/@shell` and the page's key. The key of a part is its URI, after its context
 * and its time bucket if it has them: `/@=role:editor/@2026-11-21T06:1+00:00/@larder/part/box/latest`.
 *
 * Where a store keeps no heads, an answer of another status than 200 is kept at `/@status404` and the page's key. Of a
 * redirect that is where it leads to.
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

    /** Starts the key of a shell. */
    public const SHELL = '/@shell';

    /** Starts the key of an answer of one of STATUSES, before its digits. */
    public const STATUS = '/@status';

    /** Beside 200, those that depend on nothing but the key and what was read: a change ends them as it ends a page. */
    public const STATUSES = [404, 410, 301, 308];

    /** PCRE without delimiters or anchors. nginx uses the same text. A path has one such form. */
    public const CANONICAL = '/(?:' . self::SEGMENT . '/){0,' . self::DEEPEST . '}(?:' . self::SEGMENT . ')?';

    private function __construct(
        public string $key,
        public string $uri,
        public ?string $bucket,
        public bool $isShell = false,
        public ?string $part = null,
        public ?string $context = null,
        public ?int $status = null,
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
        // Most keys are a path alone.
        $isMarked = str_contains($key, '/@');
        if ($isMarked && str_contains($key, PartName::PLACE)) {
            return self::ofPart($key);
        }
        if ($isMarked && preg_match('~^/@([0-9T:.+-]{3,40})(/.*)$~Ds', $key, $matches) === 1) {
            [, $bucket, $uri] = $matches;
        }
        $page = new self($key, $uri, $bucket);

        return \strlen($key) <= self::LONGEST && self::isCanonical($page->path()) ? $page : null;
    }

    /** The shell that this page is kept as, if it has parts. */
    public function shell(): self
    {
        return new self(self::SHELL . $this->key, $this->uri, $this->bucket, true);
    }

    /** Where an answer of this status is kept in place of the page. */
    public function answered(int $status): self
    {
        return new self(self::STATUS . $status . $this->key, $this->uri, $this->bucket, status: $status);
    }

    public function isRedirect(): bool
    {
        return $this->status !== null && self::leads($this->status);
    }

    public static function leads(int $status): bool
    {
        return \in_array($status, [301, 308], true);
    }

    /** The key that nginx makes, of the page or of what is kept in place of it. */
    public static function own(string $key): string
    {
        return (string) preg_replace('~^(?:' . self::SHELL . '|' . self::STATUS . '\d{3})(?=/)~', '', $key);
    }

    /** @return non-empty-list<string> the keys at which a page may be kept, or what is kept in place of it */
    public static function forms(string $key): array
    {
        return [
            $key,
            self::SHELL . $key,
            ...array_map(static fn(int $status): string => self::STATUS . $status . $key, self::STATUSES),
        ];
    }

    /** Whether nginx puts parts into it or it into a page, so that it is kept uncompressed. */
    public function isPiece(): bool
    {
        return $this->isShell || $this->part !== null;
    }

    public static function isCanonical(string $path): bool
    {
        return \strlen($path) <= self::LONGEST && preg_match('~^' . self::CANONICAL . '$~D', $path) === 1;
    }

    private static function ofPart(string $key): ?self
    {
        $expression = '~^(?:/@=(?<context>[A-Za-z0-9_:.-]*))?(?:/@(?<bucket>[0-9T:.+-]{3,40}))?'
            . '(?<uri>(?:/[A-Za-z0-9._:,+-]+)*' . PartName::PLACE . '(?<part>' . PartName::NAME . '))$~D';
        if (preg_match($expression, $key, $found, PREG_UNMATCHED_AS_NULL) !== 1) {
            return null;
        }
        if (!PartName::isCanonical($found['part'])) {
            return null;
        }

        return new self($key, $found['uri'], $found['bucket'], false, $found['part'], $found['context']);
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
