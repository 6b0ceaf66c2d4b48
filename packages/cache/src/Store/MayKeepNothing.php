<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/**
 * A store that stands in for one that is not there: as long as it keeps nothing, nothing in it can be old, so no change
 * has to be made known to it. A class that forwards to another store implements this too, and asks that one.
 */
interface MayKeepNothing extends Store
{
    public function keepsNothing(): bool;
}
