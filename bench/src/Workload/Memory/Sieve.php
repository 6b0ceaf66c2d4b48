<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/**
 * SIEVE, from its publication and not from the extension's code: Y. Zhang and others, "SIEVE is Simpler than LRU", NSDI
 * 2024.
 *
 * Keys stay in the order they came in. A hit marks its key. A hand goes from the last towards the first, takes marks
 * away and stops at a key without one, which is dropped; there it goes on the next time.
 */
final class Sieve
{
    private readonly KeyOrder $order;

    /** @var array<int, bool> by key */
    private array $marked = [];

    /** Null: at the last. */
    private ?int $hand = null;

    public function __construct(private readonly int $capacity)
    {
        $this->order = new KeyOrder();
    }

    /** A get, and on a miss a set. Returns whether it was a hit. */
    public function request(int $key): bool
    {
        if (isset($this->marked[$key])) {
            $this->marked[$key] = true;

            return true;
        }
        if ($this->order->length() >= $this->capacity) {
            $this->drop();
        }
        $this->order->addFirst($key);
        $this->marked[$key] = false;

        return false;
    }

    private function drop(): void
    {
        $at = $this->hand ?? $this->order->last();
        while ($at !== null && $this->marked[$at]) {
            $this->marked[$at] = false;
            $at = $this->order->aheadOf($at) ?? $this->order->last();
        }
        if ($at !== null) {
            $this->hand = $this->order->aheadOf($at);
            $this->order->remove($at);
            unset($this->marked[$at]);
        }
    }
}
