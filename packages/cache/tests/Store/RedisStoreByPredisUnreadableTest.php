<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Override;

/** The same by Predis. */
final class RedisStoreByPredisUnreadableTest extends RedisStoreUnreadableTest
{
    #[Override]
    protected static function client(): string
    {
        return 'predis';
    }

    #[Override]
    protected static function serializer(): string
    {
        return 'php';
    }
}
