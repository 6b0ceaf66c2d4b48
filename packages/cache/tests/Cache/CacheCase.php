<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\Gates;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\TestCase;

/**
 * A store and a clock that stand still until they are moved. Two caches on the store are two processes; what happens at
 * the same time in the other one is a hook of the store.
 */
abstract class CacheCase extends TestCase
{
    protected SteppedClock $clock;
    protected ArrayStore $array;
    protected HookedStore $store;

    /** How many times made() was called. */
    protected int $made = 0;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->array = new ArrayStore($this->clock);
        $this->store = new HookedStore($this->array);
        $this->made = 0;
    }

    protected function cache(?Settings $settings = null): Cache
    {
        return new Cache(
            $this->store,
            self::gates($this->store),
            $settings ?? new Settings(early: 0.0),
            clock: $this->clock,
        );
    }

    /** The process of somebody else, who is not seen by the hooks. */
    protected function elsewhere(?Settings $settings = null, float $ahead = 0.0): Cache
    {
        $clock = new SteppedClock();
        $clock->seconds = $this->clock->seconds + $ahead;

        return new Cache(
            $this->array,
            self::gates($this->array),
            $settings ?? new Settings(early: 0.0),
            clock: $ahead === 0.0 ? $this->clock : $clock,
        );
    }

    /** Versions of data that knows no transactions. */
    protected static function gates(Store $store): Gates
    {
        return new Gates($store, inTransaction: static fn(): bool => false);
    }

    /** @return Closure(): string a compute that tells how many times one ran */
    protected function compute(): Closure
    {
        return fn(): string => 'made ' . ++$this->made;
    }

    /**
     * @param Closure(): mixed $compute
     *
     * @return Closure(): mixed the same, of whose value nothing is known beforehand
     */
    protected static function opaque(Closure $compute): Closure
    {
        return $compute;
    }

    protected function pass(float $seconds): void
    {
        $this->clock->seconds += $seconds;
    }
}
