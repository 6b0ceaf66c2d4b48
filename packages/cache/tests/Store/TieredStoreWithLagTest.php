<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

/** The same where a near value is handed out for a while before the far store is asked again. */
final class TieredStoreWithLagTest extends TieredStoreTest
{
    protected static function lag(): float
    {
        return 0.2;
    }
}
