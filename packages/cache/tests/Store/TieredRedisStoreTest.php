<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\RedisStamps;
use Larder\Store\TieredStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;

/** The contract on an array before Redis: two handles are two hosts. */
#[CoversClass(TieredStore::class)]
#[CoversClass(RedisStamps::class)]
#[Group('without')]
final class TieredRedisStoreTest extends StoreContract
{
    private static ?RedisServers $servers = null;
    private static TestLog $log;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers(2);
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

        return new TieredStore(
            new ArrayStore(),
            self::$servers->store('phpredis', $namespace, self::$log),
            0.0,
            self::$log,
        );
    }
}
