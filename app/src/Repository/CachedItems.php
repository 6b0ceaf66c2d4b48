<?php

declare(strict_types=1);

namespace App\Repository;

use Closure;
use Larder\Cache;
use Larder\Dependency\Dependency;
use Larder\Dependency\Registry;

/**
 * The items out of the cache, which all pages share: of a list the ids only, and the rows of all lists one by one.
 *
 * So a list ends when an item comes or goes, a row when it is edited, and after an edit every list shows the new text at once.
 *
 * @phpstan-import-type Item from Items
 */
final readonly class CachedItems implements Items
{
    private const ROW = 'item ';

    public function __construct(
        private SqlItems $items,
        private Cache $cache,
        private Registry $names,
    ) {}

    public function get(int $id): ?array
    {
        return $this->cache->remember(self::ROW . $id, fn(): ?array => $this->items->get($id), reads: [$this->names->row('news', $id)]);
    }

    public function latest(?string $category = null): array
    {
        return $category === null ? $this->listed('newest', $this->items->latestIds(...), $this->names->table('news')) : $this->page($category, 1);
    }

    public function page(string $category, int $page): array
    {
        return $this->listed("category $category page $page", fn(): array => $this->items->idsOnPage($category, $page), $this->ofCategory($category));
    }

    public function count(string $category): int
    {
        return $this->cache->remember('count of category ' . $category, fn(): int => $this->items->count($category), reads: [$this->ofCategory($category)]);
    }

    public function categories(): array
    {
        return $this->cache->remember('categories', $this->items->categories(...), reads: [$this->names->table('news')]);
    }

    public function withWord(string $word): array
    {
        return $this->listed('word ' . $word, fn(): array => $this->items->idsWithWord($word), $this->names->set('word', ['word' => $word]));
    }

    public function withPhrase(string $phrase): array
    {
        return $this->listed('phrase ' . $phrase, fn(): array => $this->items->idsWithPhrase($phrase), $this->names->table('news'));
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
