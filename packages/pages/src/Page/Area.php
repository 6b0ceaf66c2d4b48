<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Page\Exception\InvalidSite;

/**
 * A part of the site's URI space. Its pages share what nginx cannot read from a file: the content type and the policy.
 *
 * The prefix covers itself and everything below it: `/feed` covers `/feed` and `/feed/net`, not `/feeds`.
 * A page with another Content-Type than its area's is not stored, since nginx sends its hits with the area's.
 */
final readonly class Area
{
    /**
     * Seconds. Each divides the next larger unit of the clock, so that nginx can cut the time into buckets by a map.
     */
    public const TTLS = [
        1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200,
        86400,
    ];

    private const LONGEST_STALE = 3600;

    public const HTML = 'text/html; charset=utf-8';

    /**
     * @param string   $prefix path, `/` or `/word[/word…]` without a trailing slash
     * @param string   $type   Content-Type of every page in the area
     * @param int|null $ttl    seconds, one of TTLS, for the policy ttl; null: policy exact
     * @param bool     $ignoreCookies visitors with a session get the pages too, and PHP makes them without any cookie.
     *     For frameworks that give a session to everybody. No code may start one there: it sees none, and what it
     *     answers is not stored
     * @param int|null $stale seconds for which a changed page may still be served, while one process makes the new one;
     *     1 to 3600. It is served for half of them at least, from 2 seconds on. null: a change ends it at once
     *
     * @throws InvalidSite if the prefix is no canonical path, the type could break a header, the ttl is none of TTLS,
     *     or there are stale seconds beside a ttl
     */
    public function __construct(
        public string $prefix,
        public string $type = self::HTML,
        public ?int $ttl = null,
        public bool $ignoreCookies = false,
        public ?int $stale = null,
    ) {
        if ($prefix !== '/' && !self::isPlain($prefix)) {
            throw InvalidSite::because(\sprintf('area prefix "%s" is not "/" or a path such as "/feed"', $prefix));
        }
        if (preg_match('~^[a-z0-9.+-]+/[a-z0-9.+-]+(; ?[a-z]+=[A-Za-z0-9-]+)*$~D', $type) !== 1) {
            throw InvalidSite::because(
                \sprintf('area %s: "%s" is not a media type such as "%s"', $prefix, $type, self::HTML),
            );
        }
        if ($ttl !== null && !\in_array($ttl, self::TTLS, true)) {
            throw InvalidSite::because(
                \sprintf('area %s: ttl %d is not one of %s seconds', $prefix, $ttl, implode(', ', self::TTLS)),
            );
        }
        if ($stale !== null && ($stale < 1 || $stale > self::LONGEST_STALE)) {
            throw InvalidSite::because(
                \sprintf('area %s: stale is 1 to %d seconds, not %d', $prefix, self::LONGEST_STALE, $stale),
            );
        }
        if ($stale !== null && $ttl !== null) {
            throw InvalidSite::because(
                \sprintf('area %s: changes do not end a page with a ttl, so it has no stale seconds', $prefix),
            );
        }
    }

    private static function isPlain(string $prefix): bool
    {
        return PagePath::isCanonical($prefix) && !str_contains($prefix, '%') && !str_ends_with($prefix, '/');
    }

    public function covers(string $path): bool
    {
        return $this->prefix === '/' || $path === $this->prefix || str_starts_with($path, $this->prefix . '/');
    }
}
