<?php

declare(strict_types=1);

namespace App\Repository;

/**
 * The site's items, as pages ask for them.
 *
 * @phpstan-type Item array{id: int, title: string, summary: string, body: string, category: string, author: string}
 */
interface Items
{
    public const PER_PAGE = 25;

    /** @return Item|null */
    public function get(int $id): ?array;

    /** @return list<Item> the newest, of all categories or of one */
    public function latest(?string $category = null): array;

    /** @return list<Item> */
    public function page(string $category, int $page): array;

    public function count(string $category): int;

    /** @return array<array-key, int> number of items by category */
    public function categories(): array;

    /** @return list<Item> whose title has the word, the newest first */
    public function withWord(string $word): array;

    /** @return list<Item> that have the phrase anywhere; no name is narrower than the table, so the page has a ttl */
    public function withPhrase(string $phrase): array;
}
