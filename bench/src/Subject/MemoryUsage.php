<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** What a store keeps and how much memory that takes, by the store's own account. Null: the store does not say. */
final readonly class MemoryUsage
{
    /**
     * @param int      $bytes      memory that is not free
     * @param int|null $entries    how many values are kept
     * @param int|null $entryBytes memory of the values, without what lies between them
     * @param int|null $evictions  how often the store made room
     * @param string $eviction what the store drops then, in the plural: "evictions" of one value each, or "wipes" of
     *     all
     */
    public function __construct(
        public int $bytes,
        public ?int $entries = null,
        public ?int $entryBytes = null,
        public ?int $evictions = null,
        public string $eviction = 'evictions',
    ) {}
}
