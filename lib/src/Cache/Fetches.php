<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * What fetch() does, where the caller itself makes what it is told to make, and stores it by set().
 *
 * @internal
 */
final class Fetches
{
    /** @var array<array-key, int> leases of what callers were told to make, by item */
    private array $won = [];

    public function __construct(
        private readonly Requests $requests,
        private readonly Terms $terms,
    ) {}

    /** @param mixed $found what lies in the store under the key itself; null: nothing, as far as is known */
    public function one(string $key, string $item, mixed $found): ?Entry
    {
        $entries = $this->requests->entries;

        return $this->take($key, $item, $found === null || $item !== $key ? $entries->find($item) : $entries->current(Entry::of($found)));
    }

    /**
     * @param array<array-key, string> $items by key
     *
     * @return array<array-key, mixed> values by key
     */
    public function many(array $items): array
    {
        $found = $this->requests->entries->findMany(array_values($items));
        $values = [];
        foreach ($items as $key => $item) {
            $entry = $this->take((string) $key, $item, $found[$item] ?? null);
            if ($entry !== null) {
                $values[$key] = $entry->value;
            }
        }

        return $values;
    }

    /**
     * As many(), without those in grace.
     *
     * @param array<array-key, string> $items by key
     *
     * @return array<array-key, mixed> values by key
     */
    public function fresh(array $items): array
    {
        $found = $this->requests->entries->findMany(array_values($items));
        $values = [];
        foreach ($items as $key => $item) {
            $entry = $found[$item] ?? null;
            if ($entry === null || $this->requests->isOver($entry)) {
                $this->requests->missed((string) $key, Event::Miss, $entry?->cost, $this->terms);
            } else {
                $values[$key] = $this->requests->handOut((string) $key, $entry, Event::Hit, $this->terms);
            }
        }

        return $values;
    }

    /** The lease to store it with; null: nobody was told to make it. */
    public function lease(string $item): ?int
    {
        $lease = $this->won[$item] ?? null;
        unset($this->won[$item]);

        return $lease;
    }

    /** @param array<array-key, string> $items */
    public function forget(array $items): void
    {
        $this->won = array_diff_key($this->won, array_flip($items));
    }

    public function forgetAll(): void
    {
        $this->won = [];
    }

    /** The entry to hand out; null: this caller is to make it. */
    private function take(string $key, string $item, ?Entry $entry): ?Entry
    {
        if ($entry === null) {
            $this->requests->missed($key, Event::Miss, null, $this->terms);

            return null;
        }
        $event = Event::Hit;
        if (!$this->requests->isFresh($entry)) {
            $claim = $this->requests->entries->claim($item, $this->terms->lease($entry->cost), $entry);
            if ($claim instanceof Claim && $claim->lease !== null) {
                $this->won[$item] = $claim->lease;
                $this->requests->missed($key, Event::Refresh, $entry->cost, $this->terms);

                return null;
            }
            $event = $claim instanceof Entry ? Event::Hit : Event::Stale;
            $entry = $claim instanceof Entry ? $claim : $entry;
        }
        $this->requests->handOut($key, $entry, $event, $this->terms);

        return $entry;
    }
}
