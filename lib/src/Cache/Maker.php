<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;

/**
 * What remember() does for one key.
 *
 * @internal
 */
final readonly class Maker
{
    public function __construct(
        private Requests $requests,
        private Computes $computes,
    ) {}

    /**
     * @template T
     *
     * @param Closure(): T $compute
     * @param mixed        $found   what lies in the store under the key itself; null: nothing, as far as is known
     *
     * @return T
     */
    public function value(string $key, Closure $compute, Terms $terms, mixed $found): mixed
    {
        $item = Item::of($key);
        $this->computes->refuseOwn($key, $item);
        $old = $this->first($item, $key, $terms, $found);
        $event = Event::Hit;
        if ($old === null) {
            $claim = $terms->keep() ? $this->await($key, $item, $terms) : new Claim(null, false);
            $event = Event::Waited;
        } elseif ($this->requests->isFresh($old)) {
            $claim = $old;
        } else {
            $claim = $this->requests->entries->claim($item, $terms->lease($old->cost), $old);
            if ($claim instanceof Claim && $claim->lease === null) {
                $claim = $old;
                $event = Event::Stale;
            }
        }
        if ($claim instanceof Entry) {
            /** @var T what $compute made in another call */
            return $this->requests->handOut($key, $claim, $event, $terms);
        }
        $making = new Making($key, $item, $claim->lease, $old !== null);
        [$value, $cost] = $this->computes->one($compute, $terms, $making);
        $this->requests->missed($key, $making->event(), $cost, $terms);

        return $value;
    }

    private function first(string $item, string $key, Terms $terms, mixed $found): ?Entry
    {
        if ($terms->reads !== [] && $this->requests->entries->readsTogether()) {
            return $this->requests->entries->findWith($item, $terms->reads);
        }
        if ($item !== $key) {
            return $this->requests->entries->find($item);
        }

        return $found === null ? null : $this->requests->entries->current(Entry::of($found));
    }

    /** Waits for an entry, or for the right to make it, as long as the terms say. */
    private function await(string $key, string $item, Terms $terms): Entry|Claim
    {
        $waiting = null;
        while (true) {
            $claim = $this->requests->entries->findOrLease($item, $terms->lease(null));
            if ($claim instanceof Entry || $claim->lease !== null || !$claim->answered) {
                return $claim;
            }
            if ($waiting === null) {
                $waiting = new Waiting($terms->wait());
                $this->requests->waits(1);
            }
            if (!$waiting->pause()) {
                return $this->requests->waitedInVain($key, $terms);
            }
        }
    }
}
