<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\Dependency;

/**
 * What one call asked for; null: as the settings say.
 *
 * @internal
 */
final readonly class Terms
{
    /** Seconds; null: without end. */
    public ?float $ttl;

    /** Seconds that the value is kept; null: without end. */
    public ?float $life;

    /** @param list<string|Dependency> $reads */
    public function __construct(
        private Settings $settings,
        ?float $ttl = null,
        ?float $grace = null,
        public array $reads = [],
        private ?float $lease = null,
        public ?float $wait = null,
    ) {
        $this->ttl = $ttl ?? $settings->ttl;
        $this->life = $this->ttl === null ? null : $this->ttl + $settings->graceOf($this->ttl, $grace);
    }

    /** Whether a value may be kept at all. */
    public function keep(): bool
    {
        return $this->ttl === null || $this->ttl > 0.0;
    }

    public function freshUntil(float $now): float
    {
        return $this->ttl === null ? PHP_FLOAT_MAX : $now + $this->ttl;
    }

    /** @param float|null $cost seconds that the last compute took */
    public function lease(?float $cost): float
    {
        return $this->settings->leaseOf($cost, $this->lease);
    }

    public function wait(): float
    {
        return $this->wait ?? $this->settings->wait;
    }
}
