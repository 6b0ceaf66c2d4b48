<?php

declare(strict_types=1);

namespace App\Repository;

use Larder\Cache;
use Larder\Dependency\{Dependency, Registry};

/** The comments, by the cache. Lists of items share the count of each. */
final readonly class CachedComments implements Comments
{
    private const COUNT = 'count of comments on ';

    public function __construct(private SqlComments $comments, private Cache $cache, private Registry $names) {}

    public function of(int $item): array
    {
        $compute = fn(): array => $this->comments->of($item);

        return $this->cache->remember('comments on ' . $item, $compute, reads: [$this->on($item)]);
    }

    public function counts(array $items): array
    {
        /** @var array<string, int> $counts as missing() made them */
        $counts = $this->cache->rememberMultiple(
            array_map(static fn(int $item): string => self::COUNT . $item, $items),
            $this->missing(...),
            reads: fn(string $key): array => [$this->on(self::item($key))],
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

    private function on(int $item): Dependency
    {
        return $this->names->set('comment', ['news_id' => $item]);
    }

    private static function item(string $key): int
    {
        return (int) substr($key, \strlen(self::COUNT));
    }
}
