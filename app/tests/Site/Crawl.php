<?php

declare(strict_types=1);

namespace App\Tests\Site;

/** Every page of the site: what can be reached from the front page, with searches, which nothing links to. */
final readonly class Crawl
{
    public const SEARCHES = [
        '/search/sage',
        '/search/winter',
        '/search/shelf',
        self::EMPTY_SEARCH,
        '/find/household',
        '/find/plain-words',
    ];

    /** Its page shows nothing, and was made from the table word alone. */
    public const EMPTY_SEARCH = '/search/marzipan';

    /** @return array<string, string> body by URI */
    public static function bodies(LiveSite $site): array
    {
        $bodies = [];
        $found = ['/', '/feed', ...self::SEARCHES];
        for ($next = 0; $next < \count($found); ++$next) {
            $body = $site->get($found[$next])->body;
            $bodies[$found[$next]] = $body;
            preg_match_all(
                '~href="(/(?:|categories|(?:news|category|feed)/[a-z0-9-]+(?:\?page=\d+)?))"~',
                $body,
                $links,
            );
            $found = array_values(array_unique([...$found, ...$links[1]]));
        }
        ksort($bodies);

        return $bodies;
    }

    /**
     * @param array<string, string> $bodies
     *
     * @return list<string> keys of the exact pages that show the item, its own page among them
     */
    public static function showing(int $item, array $bodies): array
    {
        $showing = array_filter(
            $bodies,
            static fn(string $body): bool => preg_match('~/news/' . $item . '(?!\d)~', $body) === 1,
        );

        return self::exact(array_keys($showing));
    }

    /**
     * @param array<array-key, string> $keys
     *
     * @return list<string> without those of policy ttl, which outlive changes; sorted, each once
     */
    public static function exact(array $keys): array
    {
        $exact = array_values(array_unique(array_diff($keys, self::timed($keys))));
        sort($exact);

        return $exact;
    }

    /**
     * @param array<array-key, string> $keys
     *
     * @return array<array-key, string> those of policy ttl
     */
    public static function timed(array $keys): array
    {
        return array_filter(
            $keys,
            static fn(string $key): bool => str_starts_with($key, '/find/') || str_starts_with($key, '/@'),
        );
    }
}
