<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** A store, and where versions lie. */
final readonly class Setting
{
    /** With tiers the near store is shared memory, the far one memcached. */
    private const STORES = ['memory' => null, 'memcached' => null, 'redis' => null, 'tiers' => 0.0, 'lagging' => 0.2];

    private function __construct(
        public string $name,
        public string $store,
        public bool $isStrict,
        /** Seconds; null: there are no tiers. */
        public ?float $lag,
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

    /** Whether this row's value has no names, and goes by a delete: gates are never kept near, so only such values can lag. */
    public function isPlain(int $row): bool
    {
        return $this->lag > 0.0 && $row % 4 === 3;
    }

    /** @return non-empty-list<Phase> */
    public function phases(): array
    {
        return $this->isStrict ? [Phase::Both] : [Phase::Deaths, Phase::Losses];
    }
}
