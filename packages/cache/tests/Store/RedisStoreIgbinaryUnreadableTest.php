<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Override;

/** The same in igbinary's form. */
final class RedisStoreIgbinaryUnreadableTest extends RedisStoreUnreadableTest
{
    #[Override]
    protected static function client(): string
    {
        return 'predis';
    }

    #[Override]
    protected static function serializer(): string
    {
        return 'igbinary';
    }
}
