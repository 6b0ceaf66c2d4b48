<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

final class RedisStoreByExtensionTest extends RedisStoreContract
{
    protected static function client(): string
    {
        return 'phpredis';
    }

    protected static function servers(): int
    {
        return 1;
    }
}
