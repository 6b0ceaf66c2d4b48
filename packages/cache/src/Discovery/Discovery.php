<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;

/** Knows which servers there are now. The answer is what Larder\Memcached takes as its servers. */
interface Discovery
{
    /**
     * Sorted, so that all processes with the same servers make the same ring of them.
     *
     * @return non-empty-array<string, int<1, 1000>> weights by server
     *
     * @throws InvalidServer  if the configuration is not well-formed
     * @throws NoServersFound if they cannot be found out, and no earlier list is known
     */
    public function servers(): array;
}
