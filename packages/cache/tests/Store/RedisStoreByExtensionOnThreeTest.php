<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

final class RedisStoreByExtensionOnThreeTest extends RedisStoreContract
{
    protected static function client(): string
    {
        return 'phpredis';
    }

    protected static function servers(): int
    {
        return 3;
    }
}
