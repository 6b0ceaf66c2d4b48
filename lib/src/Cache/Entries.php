<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\Dependency;
use Larder\Dependency\Versions;
use Larder\Dependency\VersionsInStore;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Store\SharedMemoryStore;
use stdClass;

/**
 * The entries of one store: finds those that are still made from the present data.
 *
 * @internal
 */
final readonly class Entries
{
    /** Stores in this process's reach, where to find out the keys beforehand costs more than a second trip. */
    private const NEAR = [SharedMemory::class, SharedMemoryStore::class, ArrayStore::class, NullStore::class];

    /** Versions to be read together with the values; null: each for itself. */
    private ?VersionsInStore $beside;

    /** Stands for nothing found, since a stored null is something. */
    private stdClass $none;

    public function __construct(
        public Store $store,
        private Versions $versions,
        private float $early,
    ) {
        $this->none = new stdClass();
        $this->beside = $versions instanceof VersionsInStore && !\in_array($store::class, self::NEAR, true) ? $versions : null;
    }

    /** Whether findWith() spares a trip. */
    public function readsTogether(): bool
    {
        return $this->beside !== null;
    }

    /** Null: there is none, or what it was made from has changed. */
    public function find(string $item): ?Entry
    {
        $stored = $this->store->get($item, $this->none);

        return $stored === $this->none ? null : $this->current(Entry::of($stored));
    }

    /**
     * The same in one trip, where the versions of the names lie in the store too.
     *
     * @param list<string|Dependency> $names that it is made from, as far as is known
     */
    public function findWith(string $item, array $names): ?Entry
    {
        $keys = $this->beside?->keysIn($this->store, $names) ?? [];
        if ($this->beside === null || $keys === []) {
            return $this->find($item);
        }
        $found = $this->store->getMultiple([$item, ...$keys]);
        if (!\array_key_exists($item, $found)) {
            return null;
        }
        $entry = Entry::of($found[$item]);

        return !$entry->refused && ($entry->stamps === [] || $this->beside->holdsBy($entry->stamps, $keys, $found)) ? $entry : null;
    }

    /**
     * @param list<string> $items
     *
     * @return array<array-key, Entry> by item
     */
    public function findMany(array $items): array
    {
        return $this->currentOf(array_map(Entry::of(...), $this->store->getMultiple($items)));
    }

    /** An entry, or the right to make it, or neither: another process makes it, or no store takes it. */
    public function findOrLease(string $item, float $seconds): Entry|Claim
    {
        $answer = $this->store->getOrLease($item, $seconds);
        if (!$answer->hit) {
            return new Claim($answer->lease, $answer->answered);
        }
        $entry = Entry::of($answer->value);
        if ($entry->refused) {
            return new Claim(null, false);
        }

        return $this->current($entry) ?? $this->claim($item, $seconds, null);
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
        if ($entry !== null && ($old === null || !$entry->is($old))) {
            $this->store->release($item, $lease);

            return $entry;
        }

        return new Claim($lease);
    }

    /** @param float|null $life seconds that it is kept, grace included */
    public function write(string $item, Entry $entry, ?float $life, ?int $lease = null): Outcome
    {
        return $this->store->set($item, $this->pack($item, $entry), $life, $lease);
    }

    /** @return array<array-key, mixed> */
    public function pack(string $item, Entry $entry): array
    {
        // The shortest path knows keys as they are given: an item of Larder's own must not be taken for a key.
        return $entry->pack($this->early, $item[0] !== "\0");
    }

    /** Null: it stands for none, or what it was made from has changed. */
    public function current(Entry $entry): ?Entry
    {
        return !$entry->refused && ($entry->stamps === [] || $this->versions->hold([$entry->stamps])[0]) ? $entry : null;
    }

    /**
     * @param array<array-key, Entry> $entries
     *
     * @return array<array-key, Entry>
     */
    private function currentOf(array $entries): array
    {
        $entries = array_filter($entries, static fn(Entry $entry): bool => !$entry->refused);
        $stamped = array_filter(array_map(static fn(Entry $entry): array => $entry->stamps, $entries));

        return $stamped === [] ? $entries : array_diff_key($entries, array_filter($this->versions->hold($stamped), static fn(bool $holds): bool => !$holds));
    }
}
