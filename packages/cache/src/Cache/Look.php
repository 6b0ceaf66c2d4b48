<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Name;
use Larder\Dependency\SeenVersions;
use Larder\Dependency\Versions;
use Larder\Dependency\VersionsInStore;
use Larder\NearStore;
use Larder\Store;

/**
 * The first step: what lies in the store under a key, and whether it may be handed out.
 *
 * @internal
 */
final readonly class Look
{
    /** Whether entryWith() saves a trip. */
    public bool $readsTogether;

    /** Versions that are read together with the values; null: each is read for itself. */
    private ?VersionsInStore $beside;

    /**
     * @param Closure(): float $now
     * @param bool             $isPlain whether no observer, no page and no virtual clock has to be asked about a hit
     */
    public function __construct(
        private Store $store,
        private Versions $versions,
        private float $early,
        private Closure $now,
        private bool $isPlain,
    ) {
        $this->beside = $versions instanceof VersionsInStore && !$store instanceof NearStore ? $versions : null;
        $this->readsTogether = $this->beside !== null;
    }

    /**
     * Whether what lies in the store may be handed out without another thought: by its time alone, or by its time and
     * the versions of its data. This is the short way of most requests; current() is the long one.
     *
     * @param mixed $stored State::Missing: nothing, since null is a value
     *
     * @phpstan-assert-if-true array<array-key, mixed> $stored
     */
    public function isPlainHit(mixed $stored): bool
    {
        $stamps = $this->isPlain && \is_array($stored) ? Entry::atOnce($stored) : false;
        if (\is_bool($stamps)) {
            return $stamps;
        }
        if (!$this->versions->hold([$stamps])[0]) {
            return false;
        }
        $this->versions->used($stamps, PHP_FLOAT_MAX);

        return true;
    }

    /**
     * The entry of what lies in the store.
     *
     * @param mixed $stored State::Missing: nothing
     *
     * @return Entry|null null: there is none, or the data that it was made from has changed
     */
    public function current(mixed $stored): ?Entry
    {
        $entry = $stored === State::Missing ? null : Entry::of($stored);

        return $entry !== null && $this->isCurrent($entry) ? $entry : null;
    }

    public function entry(string $storeKey): ?Entry
    {
        return $this->current($this->store->get($storeKey, State::Missing));
    }

    /**
     * As entry(), in one trip with the versions of the names, where they lie in the store too.
     *
     * @param list<string|Name> $names that it is made from, as far as is known
     *
     * @param-out bool $changing whether there is no entry and one of the names is being changed, as far as was seen
     */
    public function entryWith(string $storeKey, array $names, bool &$changing = false): ?Entry
    {
        $changing = false;
        $keys = $this->beside?->keysIn($this->store, $names) ?? [];
        if ($this->beside === null || $keys === []) {
            return $this->entry($storeKey);
        }
        $found = $this->store->getMultiple([$storeKey, ...$keys]);
        $entry = \array_key_exists($storeKey, $found) ? Entry::of($found[$storeKey]) : null;
        if (
            $entry !== null && !$entry->unstored
            && ($entry->stamps === [] || $this->beside->holdsBy($entry->stamps, $keys, $found))
        ) {
            return $entry;
        }
        $changing = $this->beside->areChanging($keys, $found);

        return null;
    }

    /**
     * What a compute asks the store for before it begins, to be read in one trip with something else.
     *
     * @param list<string|Name> $names
     *
     * @return list<string> empty: nothing is gained by that
     */
    public function keysAhead(array $names): array
    {
        return $this->beside !== null && $this->beside->areIn($this->store) ? $this->beside->keysAhead($names) : [];
    }

    /** Whether one of the names was being changed when this was seen. */
    public function isChanging(SeenVersions $seen): bool
    {
        $keys = array_map(strval(...), array_keys($seen->found));

        return $this->beside !== null && $this->beside->areChanging($keys, $seen->found);
    }

    /**
     * As current(), by versions that were read together with what is stored.
     *
     * @param SeenVersions|null $seen null: none were
     */
    public function currentBy(mixed $stored, ?SeenVersions $seen): ?Entry
    {
        $entry = Entry::of($stored);
        if ($seen === null || $this->beside === null || $entry->unstored || $entry->stamps === []) {
            return $this->isCurrent($entry) ? $entry : null;
        }
        $keys = array_map(strval(...), array_keys($seen->found));

        return $this->beside->holdsBy($entry->stamps, $keys, $seen->found) ? $entry : null;
    }

    /**
     * @param list<string> $storeKeys
     *
     * @param array<array-key, mixed> $stored what is there, current or not, by store key
     *
     * @return array<array-key, Entry> by store key
     */
    public function entries(array $storeKeys, array &$stored = []): array
    {
        $stored = $this->store->getMultiple($storeKeys);

        return $this->allCurrent(array_map(Entry::of(...), $stored));
    }

    /**
     * Those for which isCurrent() holds.
     *
     * @param array<array-key, Entry> $entries by any key
     *
     * @return array<array-key, Entry>
     */
    public function allCurrent(array $entries): array
    {
        $entries = array_filter($entries, static fn(Entry $entry): bool => !$entry->unstored);
        $stamped = array_filter(array_map(static fn(Entry $entry): array => $entry->stamps, $entries));
        if ($stamped === []) {
            return $entries;
        }
        $changed = array_filter($this->versions->hold($stamped), static fn(bool $holds): bool => !$holds);

        return array_diff_key($entries, $changed);
    }

    /** Whether it holds a value, and the data that this was made from has not changed. */
    public function isCurrent(Entry $entry): bool
    {
        return !$entry->unstored && ($entry->stamps === [] || $this->versions->hold([$entry->stamps])[0]);
    }

    /** @return list<string> what it was made from */
    public function names(Entry $entry): array
    {
        return $this->versions->names($entry->stamps);
    }

    /** Notes that what is being made contains the value. */
    public function used(Entry $entry): void
    {
        $this->versions->used($entry->stamps, $entry->freshUntil);
    }

    public function isFresh(Entry $entry): bool
    {
        return $entry->isFresh(($this->now)(), $this->early);
    }

    /** Whether its ttl has ended. */
    public function isOver(Entry $entry): bool
    {
        return $entry->freshUntil <= ($this->now)();
    }
}
