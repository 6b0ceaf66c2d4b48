<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store\ArrayStore;
use Larder\Store\AskedServer;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

/** A store tells how each of its servers is, also of one that is dead. */
#[CoversClass(AskedServer::class)]
#[CoversClass(MemcachedStore::class)]
#[CoversClass(RedisStore::class)]
#[CoversClass(TieredStore::class)]
final class AskedServerTest extends TestCase
{
    #[RequiresPhpExtension('larder')]
    public function testOfMemcached(): void
    {
        $servers = new MemcachedServers(2);
        try {
            $store = new MemcachedStore('site', $servers->client());
            $store->setMultiple(self::values());
            [$first, $second] = array_values($store->servers());
            self::assertSame($servers->addresses(), array_keys($store->servers()));
            self::assertTrue($first->answers() && $second->answers());
            self::assertGreaterThanOrEqual(40, (int) $first->items + (int) $second->items);
            self::assertSame([256 << 20, 0], [$first->bytesLimit, $first->evictions]);
            self::assertStringStartsWith('memcached 1.', $first->version);

            $servers->kill(1);
            [$first, $second] = array_values((new TieredStore(new ArrayStore(), $store))->servers());
            self::assertTrue($first->answers());
            self::assertFalse($second->answers());
            self::assertStringContainsString($servers->address(1), $second->failure);
        } finally {
            $servers->stop();
        }
    }

    public function testOfRedis(): void
    {
        $servers = new RedisServers(2);
        try {
            $store = $servers->store('predis');
            $store->setMultiple(self::values());
            [$first, $second] = array_values($store->servers());
            self::assertTrue($first->answers() && $second->answers());
            self::assertGreaterThanOrEqual(40, (int) $first->items + (int) $second->items);
            self::assertSame(256 << 20, $first->bytesLimit);
            self::assertMatchesRegularExpression('/^Redis \d/', $first->version);

            $servers->kill(0);
            [$first, $second] = array_values($store->servers());
            self::assertFalse($first->answers());
            self::assertNotSame('', $first->failure);
            self::assertTrue($second->answers());
        } finally {
            $servers->stop();
        }
    }

    /** @return array<string, string> */
    private static function values(): array
    {
        return array_fill_keys(array_map(static fn(int $key): string => "key$key", range(1, 40)), 'x');
    }
}
