<?php

declare(strict_types=1);

namespace Larder\Psr;

use DateInterval;
use DateTimeInterface;
use Psr\Cache\CacheItemInterface;

/**
 * One entry of a Pool, in the state in which it was when it was asked for.
 *
 * After set() it counts as a hit, so that the caller's value is not lost if the pool cannot keep it.
 *
 * @internal
 */
final class Item implements CacheItemInterface
{
    /** Unix time; null: the pool's default. */
    private ?float $end = null;

    /** @internal a Pool makes items */
    public function __construct(
        private readonly string $key,
        private readonly Time $time,
        private bool $hit = false,
        private mixed $value = null,
    ) {}

    public function getKey(): string
    {
        return $this->key;
    }

    public function get(): mixed
    {
        return $this->value;
    }

    public function isHit(): bool
    {
        return $this->hit;
    }

    public function set(mixed $value): static
    {
        $this->value = $value;
        $this->hit = true;

        return $this;
    }

    public function expiresAt(?DateTimeInterface $expiration): static
    {
        $this->end = $expiration === null ? null : Time::unix($expiration);

        return $this;
    }

    public function expiresAfter(int|DateInterval|null $time): static
    {
        $this->end = $time === null ? null : $this->time->after($time);

        return $this;
    }

    /**
     * @internal for the pool
     *
     * @return float|null Unix time; null: the pool's default
     */
    public function end(): ?float
    {
        return $this->end;
    }
}
