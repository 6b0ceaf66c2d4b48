<?php

declare(strict_types=1);

namespace App\Repository;

use Larder\Cache;

/** The comments, by the cache. Lists of items share the count of each. */
final readonly class CachedComments implements Comments
{
    private const COUNT = 'count of comments on ';

    public function __construct(private SqlComments $comments, private Cache $cache) {}

    public function of(int $item): array
    {
        return $this->cache->remember('comments on ' . $item, fn(): array => $this->comments->of($item));
    }

    public function counts(array $items): array
    {
        // One statement counts for all of them, so it is said which item a count belongs to.
        /** @var array<string, int> $counts as missing() made them */
        $counts = $this->cache->rememberMultiple(
            array_map(static fn(int $item): string => self::COUNT . $item, $items),
            $this->missing(...),
            reads: static fn(string $key): array => ['comment?news_id=' . self::item($key)],
        );

        return array_combine(array_map(self::item(...), array_keys($counts)), array_values($counts));
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, int>
     */
    private function missing(array $keys): array
    {
        $items = array_map(self::item(...), $keys);
        $counts = $this->comments->counts($items);

        return array_combine($keys, array_map(static fn(int $item): int => $counts[$item] ?? 0, $items));
    }

    private static function item(string $key): int
    {
        return (int) substr($key, \strlen(self::COUNT));
    }
}
