<?php

declare(strict_types=1);

namespace App\Repository;

use Closure;
use Larder\Cache;
use Larder\Dependency\{Dependency, Registry};

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

    public function __construct(private SqlItems $items, private Cache $cache, private Registry $names) {}

    public function get(int $id): ?array
    {
        $compute = fn(): ?array => $this->items->get($id);

        return $this->cache->remember(self::ROW . $id, $compute, reads: [$this->names->row('news', $id)]);
    }

    public function latest(?string $category = null): array
    {
        return $category === null
            ? $this->listed('newest', $this->items->latestIds(...), $this->names->table('news'))
            : $this->page($category, 1);
    }

    public function page(string $category, int $page): array
    {
        $ids = fn(): array => $this->items->idsOnPage($category, $page);

        return $this->listed("category $category page $page", $ids, $this->ofCategory($category));
    }

    public function count(string $category): int
    {
        $compute = fn(): int => $this->items->count($category);

        return $this->cache->remember("count of category $category", $compute, reads: [$this->ofCategory($category)]);
    }

    public function categories(): array
    {
        $compute = $this->items->categories(...);

        return $this->cache->remember('categories', $compute, reads: [$this->names->table('news')]);
    }

    public function withWord(string $word): array
    {
        $ids = fn(): array => $this->items->idsWithWord($word);

        return $this->listed('word ' . $word, $ids, $this->names->set('word', ['word' => $word]));
    }

    public function withPhrase(string $phrase): array
    {
        $ids = fn(): array => $this->items->idsWithPhrase($phrase);

        return $this->listed('phrase ' . $phrase, $ids, $this->names->table('news'));
    }

    /**
     * @param Closure(): list<int> $ids
     *
     * @return list<Item>
     */
    private function listed(string $list, Closure $ids, Dependency $read): array
    {
        $ids = $this->cache->remember('ids of ' . $list, $ids, reads: [$read]);
        /** @var array<string, Item|null> $rows as missing() made them */
        $rows = $this->cache->rememberMultiple(
            array_map(static fn(int $id): string => self::ROW . $id, $ids),
            $this->missing(...),
            reads: fn(string $key): array => [$this->names->row('news', self::id($key))],
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

    private function ofCategory(string $category): Dependency
    {
        return $this->names->set('news', ['category' => $category]);
    }

    private static function id(string $key): int
    {
        return (int) substr($key, \strlen(self::ROW));
    }
}
