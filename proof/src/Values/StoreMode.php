<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Proof\StoreUnderTest;

/** A store, and where the versions are kept: in the store (gated) or in the database (strict). */
final readonly class StoreMode
{
    /** With tiers the near store is shared memory, the far one memcached. */
    private const STORES = ['memory' => 0.0, 'memcached' => 0.0, 'redis' => 0.0, 'tiers' => 0.0, 'lagging' => 0.2];

    /** Seconds between two snapshots of a Redis that begins anew with the last one, and between two of its deaths. */
    public const SNAPSHOT = 0.1;
    public const DEATH = 1.0;

    private function __construct(
        public string $name,
        public string $store,
        public bool $isStrict,
        /** Seconds that the near tier may lag. */
        public float $lag,
    ) {}

    /** @return non-empty-array<string, self> by name */
    public static function all(): array
    {
        $all = [];
        foreach (self::STORES as $store => $lag) {
            foreach (['gated', 'strict'] as $mode) {
                $name = $store . '-' . $mode;
                $all[$name] = new self($name, $store, $mode === 'strict', $lag);
            }
        }
        foreach (StoreUnderTest::SAVED as $store) {
            $all[$store] = new self($store, $store, false, 0.0);
        }

        return $all;
    }

    /** Whether its server comes back with an older copy of its data. */
    public function goesBack(): bool
    {
        return \in_array($this->store, StoreUnderTest::SAVED, true);
    }

    /**
     * Whether this row's value has no names and is deleted. With tiers only such values can lag, since gates are never
     * kept near.
     */
    public function isPlain(int $row): bool
    {
        return ($this->lag > 0.0 || !$this->isStrict) && $row % 4 === 3;
    }

    /** @return non-empty-list<Hazard> */
    public function hazards(): array
    {
        return match (true) {
            $this->isStrict => [Hazard::Both],
            $this->goesBack() => [Hazard::Losses],
            default => [Hazard::Deaths, Hazard::Losses],
        };
    }
}
