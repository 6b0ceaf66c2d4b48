<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use PHPUnit\Framework\Attributes\Group;

#[Group('without')]
final class RedisStoreByPredisTest extends RedisStoreContract
{
    protected static function client(): string
    {
        return 'predis';
    }

    protected static function servers(): int
    {
        return 1;
    }
}
