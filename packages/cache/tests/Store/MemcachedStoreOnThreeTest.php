<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

/** The same on three servers. */
final class MemcachedStoreOnThreeTest extends MemcachedStoreTest
{
    protected static function servers(): int
    {
        return 3;
    }
}
