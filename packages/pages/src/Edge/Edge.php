<?php

declare(strict_types=1);

namespace Larder\Edge;

use Larder\Edge\Exception\EdgeFailed;

/** The caches in front of the web servers: Varnish, or a CDN that drops what carries a key. */
interface Edge
{
    /**
     * Drops all that carries one of these keys, and returns when that is done. What the edge is just fetching may not
     * be among it.
     *
     * @param non-empty-list<string> $keys as the responses carry them
     *
     * @throws EdgeFailed if an edge did not say in time that it has done so
     */
    public function purge(array $keys): void;
}
