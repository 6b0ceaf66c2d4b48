<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\Versions;
use Larder\Outcome;
use Larder\Store;

/**
 * The entries of one store: finds those that are still made from the present data.
 *
 * @internal
 */
final readonly class Entries
{
    public function __construct(
        public Store $store,
        private Versions $versions,
        private float $early,
    ) {}

    /** Null: there is none, or what it was made from has changed. */
    public function find(string $item): ?Entry
    {
        return $this->findMany([$item])[$item] ?? null;
    }

    /**
     * @param list<string> $items
     *
     * @return array<array-key, Entry> by item
     */
    public function findMany(array $items): array
    {
        return $this->current(array_map(Entry::of(...), $this->store->getMultiple($items)));
    }

    /** An entry, or the right to make it, or neither: another process makes it. */
    public function findOrLease(string $item, float $seconds): Entry|Claim
    {
        $answer = $this->store->getOrLease($item, $seconds);
        if (!$answer->hit) {
            return new Claim($answer->lease, $answer->answered);
        }
        $entry = $this->current([Entry::of($answer->value)])[0] ?? null;

        return $entry ?? $this->claim($item, $seconds, null);
    }

    /**
     * The right to make an entry in place of this one; the entry that another process made in its place; or neither.
     *
     * @param Entry|null $old null: what is there was made from data that has changed
     */
    public function claim(string $item, float $seconds, ?Entry $old): Entry|Claim
    {
        $lease = $this->store->lease($item, $seconds);
        if ($lease === null) {
            return new Claim(null);
        }
        // Whoever held the lease before may have stored just now.
        $entry = $this->find($item);
        if ($entry !== null && ($old === null || $entry->freshUntil > $old->freshUntil)) {
            $this->store->release($item, $lease);

            return $entry;
        }

        return new Claim($lease);
    }

    /** @param float|null $life seconds that it is kept, grace included */
    public function write(string $item, Entry $entry, ?float $life, ?int $lease = null): Outcome
    {
        return $this->store->set($item, $entry->pack($this->early), $life, $lease);
    }

    /**
     * @param array<array-key, Entry> $entries
     *
     * @return array<array-key, Entry>
     */
    private function current(array $entries): array
    {
        $stamped = array_filter(array_map(static fn(Entry $entry): array => $entry->stamps, $entries));
        if ($stamped === []) {
            return $entries;
        }
        $old = array_filter($this->versions->hold($stamped), static fn(bool $holds): bool => !$holds);

        return array_diff_key($entries, $old);
    }
}
