<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store;
use Larder\Store\PredisStream;
use Larder\Store\PredisStreams;
use Larder\Store\RedisAddress;
use Larder\Store\RedisByExtension;
use Larder\Store\RedisByPredis;
use Larder\Store\RedisKeys;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisScript;
use Larder\Store\RedisServer;
use Larder\Store\RedisServers as Servers;
use Larder\Store\RedisStore;
use Larder\Store\RedisValues;
use Larder\Store\Ring;
use Larder\Store\Seal;
use Larder\Store\Storable;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract by one of the two clients, on one server or several. */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisAddress::class)]
#[CoversClass(RedisByExtension::class)]
#[CoversClass(RedisByPredis::class)]
#[CoversClass(RedisKeys::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisScript::class)]
#[CoversClass(RedisServer::class)]
#[CoversClass(Servers::class)]
#[CoversClass(RedisValues::class)]
#[CoversClass(PredisStream::class)]
#[CoversClass(PredisStreams::class)]
#[CoversClass(Ring::class)]
#[CoversClass(Storable::class)]
abstract class RedisStoreContract extends StoreContract
{
    private static ?RedisServers $servers = null;
    private static TestLog $log;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers(static::servers());
        self::$log = new TestLog();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    abstract protected static function client(): string;

    abstract protected static function servers(): int;

    protected static function seal(): ?Seal
    {
        return null;
    }

    protected function assertPostConditions(): void
    {
        self::assertSame([], self::$log->lines(), 'nothing failed');
    }

    protected function open(string $namespace): Store
    {
        self::assertNotNull(self::$servers);

        return self::$servers->store(static::client(), $namespace, self::$log, seal: static::seal());
    }
}
