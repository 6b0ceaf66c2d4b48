<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Store;

/** A store whose values lie on servers, which may not answer. */
interface OnServers extends Store
{
    /**
     * Which values these are: a text that is the same in all processes that share them, and in no others. Null: that
     * cannot be told.
     */
    public function address(): ?string;
}
