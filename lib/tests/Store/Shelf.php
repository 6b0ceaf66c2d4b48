<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

/**
 * The keys of one namespace of an ArrayStore, and who may compute them.
 *
 * @phpstan-type Entry array{value: string, version: int, expires: float|null}
 */
final class Shelf
{
    /** @var array<array-key, Entry> */
    private array $entries = [];

    /** @var array<array-key, array{token: int, until: float}> */
    private array $leases = [];

    /** The last version or token that was given away. */
    private int $last = 0;

    /** @return Entry|null */
    public function entry(string $key): ?array
    {
        $entry = $this->entries[$key] ?? null;

        return $entry === null || ($entry['expires'] !== null && $entry['expires'] <= microtime(true)) ? null : $entry;
    }

    public function put(string $key, string $value, ?float $ttl): void
    {
        $this->entries[$key] = ['value' => $value, 'version' => ++$this->last, 'expires' => self::end($ttl)];
        unset($this->leases[$key]);
    }

    /** Another value with the ttl of the one before. */
    public function change(string $key, string $value): void
    {
        $this->entries[$key] = ['value' => $value, 'version' => ++$this->last, 'expires' => $this->entries[$key]['expires'] ?? null];
    }

    public function touch(string $key, ?float $ttl): void
    {
        if (isset($this->entries[$key])) {
            $this->entries[$key]['expires'] = self::end($ttl);
        }
    }

    public function remove(string $key): bool
    {
        $isThere = $this->entry($key) !== null;
        unset($this->entries[$key], $this->leases[$key]);

        return $isThere;
    }

    public function lease(string $key, float $seconds): ?int
    {
        if (isset($this->leases[$key]) && $this->isLeased($key, $this->leases[$key]['token'])) {
            return null;
        }
        $this->leases[$key] = ['token' => ++$this->last, 'until' => hrtime(true) / 1e9 + $seconds];

        return $this->last;
    }

    public function isLeased(string $key, int $token): bool
    {
        $lease = $this->leases[$key] ?? null;

        return $lease !== null && $lease['token'] === $token && $lease['until'] > hrtime(true) / 1e9;
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

    private static function end(?float $ttl): ?float
    {
        return $ttl === null ? null : microtime(true) + $ttl;
    }
}
