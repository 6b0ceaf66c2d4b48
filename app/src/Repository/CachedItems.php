<?php

declare(strict_types=1);

namespace App\Repository;

use Closure;
use Larder\Cache;

/**
 * The items, by the cache, which all pages share. It keeps only the ids of a list, and each row by itself.
 *
 * So a list ends when an item comes or goes, and a row when it is edited. After an edit every list has the new text.
 *
 * @phpstan-import-type Item from Items
 */
final readonly class CachedItems implements Items
{
    private const ROW = 'item ';

    public function __construct(private SqlItems $items, private Cache $cache) {}

    public function get(int $id): ?array
    {
        return $this->cache->remember(self::ROW . $id, fn(): ?array => $this->items->get($id));
    }

    public function latest(?string $category = null): array
    {
        return $category === null
            ? $this->listed('newest', $this->items->latestIds(...))
            : $this->page($category, 1);
    }

    public function page(string $category, int $page): array
    {
        $ids = fn(): array => $this->items->idsOnPage($category, $page);

        return $this->listed("category $category page $page", $ids);
    }

    public function count(string $category): int
    {
        $compute = fn(): int => $this->items->count($category);

        return $this->cache->remember("count of category $category", $compute);
    }

    public function categories(): array
    {
        return $this->cache->remember('categories', $this->items->categories(...));
    }

    public function withWord(string $word): array
    {
        return $this->listed('word ' . $word, fn(): array => $this->items->idsWithWord($word));
    }

    public function withPhrase(string $phrase): array
    {
        return $this->listed('phrase ' . $phrase, fn(): array => $this->items->idsWithPhrase($phrase));
    }

    /**
     * @param Closure(): list<int> $ids
     *
     * @return list<Item>
     */
    private function listed(string $list, Closure $ids): array
    {
        $ids = $this->cache->remember('ids of ' . $list, $ids);
        // One statement reads all the rows, so it is said which row a value is.
        /** @var array<string, Item|null> $rows as missing() made them */
        $rows = $this->cache->rememberMultiple(
            array_map(static fn(int $id): string => self::ROW . $id, $ids),
            $this->missing(...),
            reads: static fn(string $key): array => ['news:' . self::id($key)],
        );

        // An item may have gone since its list was made.
        return array_values(array_filter($rows, static fn(?array $row): bool => $row !== null));
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, Item|null>
     */
    private function missing(array $keys): array
    {
        $rows = $this->items->rows(array_map(self::id(...), $keys));

        return array_combine($keys, array_map(static fn(string $key): ?array => $rows[self::id($key)] ?? null, $keys));
    }

    private static function id(string $key): int
    {
        return (int) substr($key, \strlen(self::ROW));
    }
}
