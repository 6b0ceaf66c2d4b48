<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/**
 * A store on servers that may come back with an older copy of their data, after a crash or in the place of another one.
 * Either nothing of before counts then, which is right for what is made again; or all of it does, which is right for
 * what nobody makes again. A class that forwards to another store implements this too, and asks that one.
 */
interface MayGoBack extends Store
{
    /** Whether values may be older, after a restart or a failover, than they were before. */
    public function mayGoBack(): bool;

    /** Whether a restart or a failover drops all values, although the servers have kept them. */
    public function dropsInstead(): bool;
}
