<?php

declare(strict_types=1);

namespace Larder\Cache;

/** What a cache holds of one key. */
final readonly class Inspection
{
    public function __construct(
        public State $state,
        /** Null if there is none. */
        public mixed $value = null,
        /** For Cache::cas(); 0 if there is none. */
        public int $version = 0,
        /** Seconds since it was stored; null: not known, since no Cache stored it. */
        public ?float $age = null,
        /** Seconds until it is no longer fresh, negative in grace; null: without end. */
        public ?float $freshFor = null,
        /** Seconds until it is gone; null: without end, or not known. */
        public ?float $keptFor = null,
        /** Seconds that its compute took; null: no cache computed it. */
        public ?float $cost = null,
        /**
         * The names of the data that it was made from, as far as they are known.
         *
         * @var list<string>
         */
        public array $names = [],
    ) {}

    /**
     * @internal
     *
     * @param list<string> $names
     */
    public static function of(Entry $entry, int $version, float $now, float $early, array $names): self
    {
        return new self(
            match (true) {
                $entry->freshUntil <= $now => State::Grace,
                $entry->earlyFrom($early) <= $now => State::Early,
                default => State::Fresh,
            },
            $entry->value,
            $version,
            $entry->made === null ? null : $now - $entry->made,
            $entry->freshUntil === PHP_FLOAT_MAX ? null : $entry->freshUntil - $now,
            $entry->keptUntil === null ? null : $entry->keptUntil - $now,
            $entry->cost,
            $names,
        );
    }
}
