<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\SystemClock;
use Psr\Clock\ClockInterface;

/**
 * The entries of an ArrayStore, in the order in which they were last used, and their leases.
 *
 * @phpstan-type Entry array{value: string, version: int, ends: float|null}
 *
 * @internal
 */
final class ArrayEntries
{
    /** Once there are this many leases, those that have ended are removed. */
    private const MANY = 1024;

    /** @var array<array-key, Entry> */
    private array $entries = [];

    /** @var array<array-key, array{token: int, ends: float}> */
    private array $leases = [];

    /** The last version or token that was given away. */
    private int $last = 0;

    public function __construct(private readonly ClockInterface $clock, private readonly ?int $limit) {}

    /** @return Entry|null */
    public function find(string $key): ?array
    {
        $entry = $this->entries[$key] ?? null;
        if ($entry === null) {
            return null;
        }
        if ($entry['ends'] !== null && $entry['ends'] <= $this->now()) {
            unset($this->entries[$key]);

            return null;
        }
        if ($this->limit !== null) {
            unset($this->entries[$key]);
            $this->entries[$key] = $entry;
        }

        return $entry;
    }

    public function put(string $key, string $value, ?float $ttl): void
    {
        unset($this->entries[$key], $this->leases[$key]);
        $this->entries[$key] = ['value' => $value, 'version' => ++$this->last, 'ends' => $this->end($ttl)];
        if ($this->limit !== null && \count($this->entries) > $this->limit) {
            unset($this->entries[array_key_first($this->entries)]);
        }
    }

    /** Another value with the ttl of the one before. */
    public function change(string $key, string $value): void
    {
        unset($this->leases[$key]);
        $ends = $this->entries[$key]['ends'] ?? null;
        $this->entries[$key] = ['value' => $value, 'version' => ++$this->last, 'ends' => $ends];
    }

    public function touch(string $key, ?float $ttl): void
    {
        if (isset($this->entries[$key])) {
            $this->entries[$key]['ends'] = $this->end($ttl);
        }
    }

    public function remove(string $key): bool
    {
        $isThere = $this->find($key) !== null;
        unset($this->entries[$key], $this->leases[$key]);

        return $isThere;
    }

    public function lease(string $key, float $seconds): ?int
    {
        $now = $this->now();
        if (($this->leases[$key]['ends'] ?? 0.0) > $now) {
            return null;
        }
        if (\count($this->leases) >= self::MANY) {
            $this->leases = array_filter($this->leases, static fn(array $lease): bool => $lease['ends'] > $now);
        }
        $this->leases[$key] = ['token' => ++$this->last, 'ends' => $now + $seconds];

        return $this->last;
    }

    public function isLeased(string $key, int $token): bool
    {
        $lease = $this->leases[$key] ?? null;

        return $lease !== null && $lease['token'] === $token && $lease['ends'] > $this->now();
    }

    public function release(string $key, int $token): bool
    {
        $isHeld = $this->isLeased($key, $token);
        if ($isHeld) {
            unset($this->leases[$key]);
        }

        return $isHeld;
    }

    public function clear(): void
    {
        $this->entries = $this->leases = [];
    }

    /** Unix time. */
    public function now(): float
    {
        // Ten times faster than by a DateTimeImmutable.
        return $this->clock instanceof SystemClock ? microtime(true) : (float) $this->clock->now()->format('U.u');
    }

    private function end(?float $ttl): ?float
    {
        return $ttl === null ? null : $this->now() + $ttl;
    }
}
