<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Memcached;
use Larder\Store;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedNamespace;
use Larder\Store\MemcachedReplies;
use Larder\Store\MemcachedStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/**
 * The contract on memcached servers of its own, LARDER_TEST_SERVERS of them, with the extension loaded:
 * php -d extension=build/extension/larder.so vendor/bin/phpunit lib/tests/Store/MemcachedStoreTest.php
 */
#[CoversClass(MemcachedStore::class)]
#[CoversClass(MemcachedNamespace::class)]
#[CoversClass(MemcachedKeys::class)]
#[CoversClass(MemcachedReplies::class)]
final class MemcachedStoreTest extends StoreContract
{
    private static ?MemcachedServers $servers = null;
    private static TestLog $log;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder') || !class_exists(Memcached::class, false)) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(max(1, (int) getenv('LARDER_TEST_SERVERS')));
        self::$log = new TestLog();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function assertPostConditions(): void
    {
        self::assertSame([], self::$log->lines(), 'nothing failed');
    }

    protected function open(string $namespace): Store
    {
        self::assertNotNull(self::$servers);

        return new MemcachedStore($namespace, self::$servers->client(), self::$log);
    }

    /** memcached counts whole seconds, and the first one may be short. */
    protected function tick(): float
    {
        return 2.0;
    }
}
