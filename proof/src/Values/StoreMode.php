<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

/** A store, and where the versions are kept: in the store (gated) or in the database (strict). */
final readonly class StoreMode
{
    /** With tiers the near store is shared memory, the far one memcached. */
    private const STORES = ['memory' => 0.0, 'memcached' => 0.0, 'redis' => 0.0, 'tiers' => 0.0, 'lagging' => 0.2];

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

        return $all;
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
        return $this->isStrict ? [Hazard::Both] : [Hazard::Deaths, Hazard::Losses];
    }
}
