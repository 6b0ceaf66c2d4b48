<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/** Keys in a line, each at most once. All it does takes the same time however long it is. */
final class KeyOrder
{
    /** Stands before the first and behind the last. */
    private const END = -1;

    /** @var array<int, int> */
    private array $ahead = [self::END => self::END];

    /** @var array<int, int> */
    private array $behind = [self::END => self::END];

    /** @param int $key not negative, not in the line */
    public function addFirst(int $key): void
    {
        $first = $this->behind[self::END];
        $this->ahead[$key] = self::END;
        $this->behind[$key] = $first;
        $this->behind[self::END] = $this->ahead[$first] = $key;
    }

    public function remove(int $key): void
    {
        $this->behind[$this->ahead[$key]] = $this->behind[$key];
        $this->ahead[$this->behind[$key]] = $this->ahead[$key];
        unset($this->ahead[$key], $this->behind[$key]);
    }

    public function has(int $key): bool
    {
        return isset($this->ahead[$key]);
    }

    public function last(): ?int
    {
        return $this->aheadOf(self::END);
    }

    public function aheadOf(int $key): ?int
    {
        $ahead = $this->ahead[$key];

        return $ahead === self::END ? null : $ahead;
    }

    public function length(): int
    {
        return \count($this->ahead) - 1;
    }
}
