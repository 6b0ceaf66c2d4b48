<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Closure;
use Larder\Code\Pool;

/** A pool that a test may spoil. */
final class ArrayPool implements Pool
{
    /** @var (Closure(int): void)|null takes the number of a round trip before it is answered */
    public ?Closure $before = null;

    private int $trips = 0;

    /** @param array<string, string> $items */
    public function __construct(public array $items = []) {}

    public function fetch(array $keys): array
    {
        ++$this->trips;
        if ($this->before !== null) {
            ($this->before)($this->trips);
        }

        return array_intersect_key($this->items, array_flip($keys));
    }

    public function present(array $keys): array
    {
        return array_keys($this->fetch($keys));
    }

    public function store(array $values): void
    {
        ++$this->trips;
        $this->items = $values + $this->items;
    }

    public function replace(string $key, ?string $read, string $value): bool
    {
        ++$this->trips;
        if (($this->items[$key] ?? null) !== $read) {
            return false;
        }
        $this->items[$key] = $value;

        return true;
    }

    public function remove(array $keys): int
    {
        $there = \count($this->fetch($keys));
        $this->items = array_diff_key($this->items, array_flip($keys));

        return $there;
    }

    public function trips(): int
    {
        return $this->trips;
    }
}
