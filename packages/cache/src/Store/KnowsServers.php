<?php

declare(strict_types=1);

namespace Larder\Store;

/** A store that can say how each of its servers is. */
interface KnowsServers extends OnServers
{
    /**
     * @internal Asks each, and waits for none longer than for a call.
     *
     * @return array<string, AskedServer> by server, without passwords
     */
    public function servers(): array;
}
