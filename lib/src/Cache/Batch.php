<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Dependency;

/**
 * What rememberMultiple() does: the same as for one key, with one look for all, and one compute for all that this process is to make.
 *
 * It makes what it may make before it waits for anything, so that no two processes wait for each other.
 *
 * @internal
 */
final class Batch
{
    /** @var array<array-key, mixed> by key */
    private array $values = [];

    /** @var list<Making> */
    private array $making = [];

    /** @var array<array-key, string> items by key, made by other processes as far as is known */
    private array $missing = [];

    /**
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param (Closure(string): list<string|Dependency>)|null $reads
     */
    public function __construct(
        private readonly Requests $requests,
        private readonly Computes $computes,
        private readonly Closure $compute,
        private readonly ?Closure $reads,
        private readonly Terms $terms,
    ) {}

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> by key, in the order asked for
     */
    public function values(array $keys): array
    {
        $items = [];
        foreach ($keys as $key) {
            $items[$key] = Item::of($key);
            $this->computes->refuseOwn($key, $items[$key]);
        }
        $this->look($items);
        $waiting = null;
        while ($this->missing !== [] || $this->making !== []) {
            $this->lease();
            if ($this->making !== []) {
                $this->make();
                continue;
            }
            if ($waiting === null && $this->missing !== []) {
                $waiting = new Waiting($this->terms->wait());
                $this->requests->waits(\count($this->missing));
            }
            if ($waiting?->pause() === false) {
                $this->giveUp();
            }
        }

        return array_replace(array_intersect_key($items, $this->values), $this->values);
    }

    /** @param array<array-key, string> $items by key */
    private function look(array $items): void
    {
        $found = $this->requests->entries->findMany(array_values($items));
        foreach ($items as $key => $item) {
            $old = $found[$item] ?? null;
            if ($old === null) {
                $this->missing[$key] = $item;
            } elseif ($this->requests->isFresh($old)) {
                $this->handOut((string) $key, $old, Event::Hit);
            } else {
                $claim = $this->requests->entries->claim($item, $this->terms->lease($old->cost), $old);
                match (true) {
                    $claim instanceof Entry => $this->handOut((string) $key, $claim, Event::Hit),
                    $claim->lease === null => $this->handOut((string) $key, $old, Event::Stale),
                    default => $this->making[] = new Making((string) $key, $item, $claim->lease, true),
                };
            }
        }
    }

    /** The missing ones that are there by now, and the right to make others. */
    private function lease(): void
    {
        foreach ($this->missing as $key => $item) {
            $claim = $this->terms->keep() ? $this->requests->entries->findOrLease($item, $this->terms->lease(null)) : new Claim(null, false);
            if ($claim instanceof Entry) {
                $this->handOut((string) $key, $claim, Event::Waited);
            } elseif ($claim->lease !== null || !$claim->answered) {
                $this->making[] = new Making((string) $key, $item, $claim->lease);
            } else {
                continue;
            }
            unset($this->missing[$key]);
        }
    }

    private function make(): void
    {
        $making = $this->making;
        $this->making = [];
        [$values, $cost] = $this->computes->many($this->compute, $this->reads, $this->terms, $making);
        $this->values = $values + $this->values;
        foreach ($making as $one) {
            $this->requests->missed($one->key, $one->event(), $cost, $this->terms);
        }
    }

    /** Nobody made the rest in time. */
    private function giveUp(): void
    {
        foreach ($this->missing as $key => $item) {
            $this->making[] = new Making((string) $key, $item, $this->requests->waitedInVain((string) $key, $this->terms)->lease);
        }
        $this->missing = [];
        $this->make();
    }

    private function handOut(string $key, Entry $entry, Event $event): void
    {
        $this->values[$key] = $this->requests->handOut($key, $entry, $event, $this->terms);
    }
}
