<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Sealing;

use Larder\Store\MemcachedStore;
use Larder\Store\Seal;
use Larder\Store\Sealing\SealedValues;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Store\MemcachedStoreTest;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** What every store must do, sealed, with counters that stand open. */
#[CoversClass(Seal::class)]
#[CoversClass(SealedValues::class)]
final class SealedMemcachedStoreTest extends MemcachedStoreTest
{
    protected static function of(string $namespace, MemcachedServers $servers, TestLog $log): MemcachedStore
    {
        $seal = new Seal(base64_encode(str_repeat('k', 32)), counters: true);

        return new MemcachedStore($namespace, $servers->client(serializer: 'none'), $log, seal: $seal);
    }
}
