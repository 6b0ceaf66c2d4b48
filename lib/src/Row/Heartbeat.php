<?php

declare(strict_types=1);

namespace Larder\Row;

use Larder\Outcome;
use Larder\Store;

/**
 * Says in a store of rows that a follower of the database's log is up to date. It ends by itself, so that no clocks are
 * compared.
 */
final readonly class Heartbeat
{
    /** No table has such a name. */
    public const KEY = '!';

    public function __construct(private Store $store) {}

    /**
     * @param float $seconds for which rows may be handed out from now on
     *
     * @return bool false: the store did not take it
     */
    public function beat(float $seconds): bool
    {
        return $this->store->set(self::KEY, 1, $seconds) === Outcome::Done;
    }

    /** Whether it beats. */
    public function isThere(): bool
    {
        return $this->store->get(self::KEY) !== null;
    }
}
