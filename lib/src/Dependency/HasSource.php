<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;

/** A connection whose statements are followed, or a ledger on one: Gates find out by it what they must know. */
interface HasSource
{
    /**
     * @internal
     *
     * @param (Closure(): bool)|null $inTransaction asked beside the connection, where the application begins and
     *     commits; null: change() does
     */
    public function source(?Closure $inTransaction = null): DataSource;
}
