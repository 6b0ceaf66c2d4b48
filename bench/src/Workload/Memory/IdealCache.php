<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/**
 * An ideal cache of a number of keys, which drops one by LRU or by SIEVE. All it does takes the same time however many
 * keys it has.
 *
 * LRU drops what was asked for longest ago. SIEVE is from its publication and not from the extension's code: Y. Zhang
 * and others, "SIEVE is Simpler than LRU", NSDI 2024. Keys stay in the order they came in. A hit marks its key. A hand
 * goes from the last towards the first, takes marks away and stops at a key without one, which is dropped; there it
 * goes on the next time.
 */
final class IdealCache
{
    /** Stands before the first key and behind the last. */
    private const END = -1;

    /** @var array<int, int> */
    private array $ahead = [self::END => self::END];

    /** @var array<int, int> */
    private array $behind = [self::END => self::END];

    /** @var array<int, true> the keys that SIEVE has marked */
    private array $marked = [];

    /** Null: at the last. */
    private ?int $hand = null;

    private function __construct(
        private readonly int $capacity,
        private readonly bool $isSieve,
    ) {}

    public static function lru(int $capacity): self
    {
        return new self($capacity, false);
    }

    public static function sieve(int $capacity): self
    {
        return new self($capacity, true);
    }

    /**
     * A get, and on a miss a set. Returns whether it was a hit.
     *
     * @param int $key not negative
     */
    public function request(int $key): bool
    {
        $hit = isset($this->ahead[$key]);
        if ($hit && $this->isSieve) {
            $this->marked[$key] = true;

            return true;
        }
        if ($hit) {
            $this->remove($key);
        } elseif (\count($this->ahead) > $this->capacity) {
            $this->drop();
        }
        $this->addFirst($key);

        return $hit;
    }

    private function drop(): void
    {
        $at = $this->hand ?? $this->aheadOf(self::END);
        while ($at !== null && isset($this->marked[$at])) {
            unset($this->marked[$at]);
            $at = $this->aheadOf($at) ?? $this->aheadOf(self::END);
        }
        if ($at !== null) {
            $this->hand = $this->isSieve ? $this->aheadOf($at) : null;
            $this->remove($at);
        }
    }

    private function addFirst(int $key): void
    {
        $first = $this->behind[self::END];
        $this->ahead[$key] = self::END;
        $this->behind[$key] = $first;
        $this->behind[self::END] = $this->ahead[$first] = $key;
    }

    private function remove(int $key): void
    {
        $this->behind[$this->ahead[$key]] = $this->behind[$key];
        $this->ahead[$this->behind[$key]] = $this->ahead[$key];
        unset($this->ahead[$key], $this->behind[$key]);
    }

    private function aheadOf(int $key): ?int
    {
        $ahead = $this->ahead[$key];

        return $ahead === self::END ? null : $ahead;
    }
}
