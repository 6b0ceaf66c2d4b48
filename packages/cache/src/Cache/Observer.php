<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * Sees every request for a value, to find out how long values should be kept. It must not throw, and should be quick.
 */
interface Observer
{
    /**
     * @param float      $now   Unix time
     * @param float|null $cost  seconds that making it took, now or the last time; null: not known
     * @param float|null $ttl   seconds that were asked for; null: without end
     * @param float      $grace seconds that were asked for
     */
    public function saw(string $key, Event $event, float $now, ?float $cost, ?float $ttl, float $grace): void;
}
