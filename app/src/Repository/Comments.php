<?php

declare(strict_types=1);

namespace App\Repository;

/**
 * Comments on items.
 *
 * @phpstan-type Comment array{id: int, author: string, text: string, created_at: string}
 */
interface Comments
{
    /** @return list<Comment> the oldest first */
    public function of(int $item): array;

    /**
     * How many each item has.
     *
     * @param list<int> $items
     *
     * @return array<int, int>
     */
    public function counts(array $items): array;
}
