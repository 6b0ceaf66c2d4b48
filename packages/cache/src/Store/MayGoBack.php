<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/**
 * A store on servers that may come back with an older copy of their data. Either nothing of before counts then, which
 * is right for what is made again; or all of it does, which is right for what nobody makes again. A class that forwards
 * to another store implements this too, and asks that one.
 */
interface MayGoBack extends Store
{
    /** Whether values survive a restart or a failover, and may be older then than they were. */
    public function mayGoBack(): bool;
}
