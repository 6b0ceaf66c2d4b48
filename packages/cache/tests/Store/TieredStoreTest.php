<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\FarOutage;
use Larder\Store\MemcachedStore;
use Larder\Store\NearValues;
use Larder\Store\TieredStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract on shared memory before memcached. Each near value is confirmed by the far store. */
#[CoversClass(TieredStore::class)]
#[CoversClass(NearValues::class)]
#[CoversClass(FarOutage::class)]
class TieredStoreTest extends StoreContract
{
    private static ?MemcachedServers $servers = null;
    private static TestLog $log;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(2);
        self::$log = new TestLog();
        self::$servers->settle();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    /** Seconds for which a near value is handed out unconfirmed. */
    protected static function lag(): float
    {
        return 0.0;
    }

    protected function assertPostConditions(): void
    {
        self::assertSame([], self::$log->lines(), 'nothing failed');
    }

    protected function open(string $namespace): Store
    {
        self::assertNotNull(self::$servers);
        $far = new MemcachedStore($namespace, self::$servers->client(), self::$log);

        return new TieredStore(new SharedMemory('near-' . $namespace), $far, static::lag(), self::$log);
    }

    /** memcached's. */
    protected function tick(): float
    {
        return 2.0;
    }
}
