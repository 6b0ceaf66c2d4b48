<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;

/** Knows which servers there are now. The answer is what Larder\Memcached takes as its servers. */
interface Discovery
{
    /**
     * Sorted, so that all who get the same servers make the same ring of them.
     *
     * @return non-empty-array<string, int<1, 1000>> weights by server
     *
     * @throws InvalidServer  if what is configured is not written as it should be
     * @throws NoServersFound if nobody can tell, and nobody told earlier
     */
    public function servers(): array;
}
