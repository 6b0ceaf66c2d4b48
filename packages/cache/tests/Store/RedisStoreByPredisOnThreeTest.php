<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

final class RedisStoreByPredisOnThreeTest extends RedisStoreContract
{
    protected static function client(): string
    {
        return 'predis';
    }

    protected static function servers(): int
    {
        return 3;
    }
}
