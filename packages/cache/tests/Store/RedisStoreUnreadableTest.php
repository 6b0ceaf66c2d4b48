<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Store;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisServer;
use Larder\Store\RedisStore;
use Larder\Store\RedisValues;
use Larder\Store\StoredBytes;
use Larder\Tests\Store\Contract\Damaged;
use Larder\Tests\Store\Contract\UnreadableContract;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use Psr\Log\LoggerInterface;

/** By the extension redis. */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisServer::class)]
#[CoversClass(RedisValues::class)]
#[CoversClass(StoredBytes::class)]
#[RequiresPhpExtension('redis')]
class RedisStoreUnreadableTest extends UnreadableContract
{
    use Damaged;

    private static ?RedisServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected static function client(): string
    {
        return 'phpredis';
    }

    protected static function serializer(): string
    {
        return 'php';
    }

    protected function open(LoggerInterface $log, Counters $counters): Store
    {
        self::assertNotNull(self::$servers);

        return self::$servers->store(
            static::client(),
            'unreadable',
            $log,
            counters: $counters,
            serializer: static::serializer(),
            objects: true,
        );
    }

    protected function damage(string $key, string $how): void
    {
        self::assertNotNull(self::$servers);
        $direct = self::$servers->direct();
        $value = $direct->get("unreadable:$key");
        self::assertIsString($value);
        $direct->set("unreadable:$key", substr($value, 0, RedisValues::HEAD) . match ($how) {
            'cut off' => substr($value, RedisValues::HEAD, -6),
            'by another serializer' => 'p["text","text"]',
            default => 'z' . gzcompress(serialize(['text', 'text'])),
        });
    }
}
