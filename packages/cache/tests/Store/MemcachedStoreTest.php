<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedNamespace;
use Larder\Store\MemcachedReplies;
use Larder\Store\MemcachedStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract on one memcached server. */
#[CoversClass(MemcachedStore::class)]
#[CoversClass(MemcachedNamespace::class)]
#[CoversClass(MemcachedKeys::class)]
#[CoversClass(MemcachedReplies::class)]
class MemcachedStoreTest extends StoreContract
{
    private static ?MemcachedServers $servers = null;
    private static TestLog $log;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(static::servers());
        self::$log = new TestLog();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected static function servers(): int
    {
        return 1;
    }

    protected function assertPostConditions(): void
    {
        self::assertSame([], self::$log->lines(), 'nothing failed');
    }

    protected function open(string $namespace): Store
    {
        self::assertNotNull(self::$servers);

        return static::of($namespace, self::$servers, self::$log);
    }

    protected static function of(string $namespace, MemcachedServers $servers, TestLog $log): MemcachedStore
    {
        return new MemcachedStore($namespace, $servers->client(), $log);
    }

    /** memcached counts whole seconds, and the first one may be short. */
    protected function tick(): float
    {
        return 2.0;
    }
}
