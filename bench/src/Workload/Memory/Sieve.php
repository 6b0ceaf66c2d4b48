<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/**
 * SIEVE, from its publication and not from the extension's code: Y. Zhang and others, "SIEVE is Simpler than LRU", NSDI 2024.
 *
 * Keys stay in the order they came in. A hit marks its key. A hand goes from the last towards the first, takes marks away and
 * stops at a key without one, which is dropped; there it goes on the next time.
 */
final class Sieve implements Policy
{
    private readonly Line $line;

    /** @var array<int, bool> by key */
    private array $marked = [];

    /** Null: at the last. */
    private ?int $hand = null;

    public function __construct(private readonly int $capacity)
    {
        $this->line = new Line();
    }

    public function request(int $key): bool
    {
        if (isset($this->marked[$key])) {
            $this->marked[$key] = true;

            return true;
        }
        if ($this->line->length() >= $this->capacity) {
            $this->drop();
        }
        $this->line->addFirst($key);
        $this->marked[$key] = false;

        return false;
    }

    private function drop(): void
    {
        $at = $this->hand ?? $this->line->last();
        while ($at !== null && $this->marked[$at]) {
            $this->marked[$at] = false;
            $at = $this->line->aheadOf($at) ?? $this->line->last();
        }
        if ($at !== null) {
            $this->hand = $this->line->aheadOf($at);
            $this->line->remove($at);
            unset($this->marked[$at]);
        }
    }
}
