<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Store;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedNamespace;
use Larder\Store\MemcachedStore;
use Larder\Store\ReportedFailures;
use Larder\Testbed\Net\Exchange;
use Larder\Tests\Store\Contract\Damaged;
use Larder\Tests\Store\Contract\UnreadableContract;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\LoggerInterface;

#[CoversClass(MemcachedStore::class)]
#[CoversClass(MemcachedNamespace::class)]
#[CoversClass(ReportedFailures::class)]
class MemcachedStoreUnreadableTest extends UnreadableContract
{
    use Damaged;

    /** Flags of the layout memcached: serialized by PHP, and compressed by zlib besides. */
    private const SERIALIZED = 4;
    private const COMPRESSED = 0x34;

    private static ?MemcachedServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(1);
        self::$servers->settle();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function open(LoggerInterface $log, Counters $counters): Store
    {
        return self::far($log, $counters);
    }

    protected static function far(LoggerInterface $log, Counters $counters): MemcachedStore
    {
        return new MemcachedStore('unreadable', self::servers()->client(objects: true), $log, $counters);
    }

    final protected static function servers(): MemcachedServers
    {
        self::assertNotNull(self::$servers);

        return self::$servers;
    }

    protected function damage(string $key, string $how): void
    {
        self::assertNotNull(self::$servers);
        $keys = new MemcachedKeys('unreadable');
        $generation = MemcachedKeys::generationIn(self::$servers->client()->get($keys->generation));
        self::assertNotNull($generation);
        [$flags, $bytes] = match ($how) {
            'cut off' => [self::SERIALIZED, 'a:2:{i:0;s:4:"te'],
            'by another serializer' => [self::SERIALIZED, '["text","text"]'],
            default => [self::COMPRESSED, 'not zlib at all'],
        };
        $item = $keys->item($generation, $key);
        $request = "set $item $flags 0 " . \strlen($bytes) . "\r\n$bytes\r\n";
        Exchange::with('tcp://' . self::$servers->address(0), $request, "STORED\r\n");
    }
}
