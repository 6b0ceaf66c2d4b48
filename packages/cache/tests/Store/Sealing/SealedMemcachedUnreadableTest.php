<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Sealing;

use Larder\Metrics\Counters;
use Larder\Store\MemcachedStore;
use Larder\Store\Seal;
use Larder\Store\Sealing\SealedValues;
use Larder\Tests\Store\MemcachedStoreUnreadableTest;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\LoggerInterface;

/** A value that opens and cannot be read, since its class has changed. */
#[CoversClass(SealedValues::class)]
final class SealedMemcachedUnreadableTest extends MemcachedStoreUnreadableTest
{
    protected static function far(LoggerInterface $log, Counters $counters): MemcachedStore
    {
        $seal = new Seal(base64_encode(str_repeat('k', 32)));

        $client = self::servers()->client(objects: true, serializer: 'none');

        return new MemcachedStore('unreadable', $client, $log, $counters, $seal);
    }
}
