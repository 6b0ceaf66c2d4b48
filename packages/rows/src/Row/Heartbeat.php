<?php

declare(strict_types=1);

namespace Larder\Row;

use Closure;
use Larder\Outcome;
use Larder\Store;

/**
 * Says in a store of rows that a follower of the database's log is up to date. It ends by itself, so that no clocks are
 * compared.
 *
 * Whoever says so may be stopped between the look at its watch and the word, for any time. So the word is a
 * compare-and-set upon the sign before it, or upon a stub, and neither of them lives longer than half of maxLag: who
 * comes later finds nothing to change.
 *
 * @internal
 */
final readonly class Heartbeat
{
    /** No table has such a name. */
    public const KEY = '!';

    /** What stands there while it beats. A stub is anything else. */
    public const BEATS = 1;

    private const STUB = 0;

    public function __construct(private Store $store) {}

    /**
     * @param float            $maxLag seconds after what the follower has seen, in which rows may be handed out
     * @param Closure(): float $age    how long ago that was, in seconds, at the moment of the call
     *
     * @return bool false: the store did not take it, or it came too late
     */
    public function beat(float $maxLag, Closure $age): bool
    {
        $longest = $maxLag / 2;
        $last = $this->store->read(self::KEY);
        if (!$last->hit && $this->store->add(self::KEY, self::STUB, $longest) === Outcome::Done) {
            $last = $this->store->read(self::KEY);
        }
        $left = $longest - $age();

        return $last->hit && $left > 0.0
            && $this->store->cas(self::KEY, self::BEATS, $last->version, $left) === Outcome::Done;
    }

    /** Whether it beats. */
    public function isThere(): bool
    {
        return $this->store->get(self::KEY) === self::BEATS;
    }
}
