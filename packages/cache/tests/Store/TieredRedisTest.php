<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\Confirming;
use Larder\Store\RedisStamps;
use PHPUnit\Framework\Attributes\CoversClass;

/** An array before Redis. */
#[CoversClass(RedisStamps::class)]
final class TieredRedisTest extends TieredValues
{
    private static ?RedisServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers(2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    public function testARestartedServerConfirmsNothingOfBefore(): void
    {
        $store = $this->tiers();
        $keys = ['a', 'b', 'c', 'd', 'e', 'f'];
        $store->setMultiple(array_fill_keys($keys, self::rows('old')));
        self::assertCount(6, $store->getMultiple($keys));
        self::assertNotNull(self::$servers);
        self::$servers->restart(0);
        self::$servers->restart(1);
        $other = self::$servers->store('predis');
        $other->set('a', self::rows('new'));

        self::assertSame(['a' => self::rows('new')], $store->getMultiple($keys));
    }

    public function testAServerThatIsGoneIsAMissThatWasNotAnswered(): void
    {
        self::assertNotNull(self::$servers);
        $far = self::$servers->store('phpredis', timeout: 300, retry: 60_000);
        $store = new Store\TieredStore($this->memory, $far);
        $store->set('k', self::rows('old'));
        $store->get('k');
        self::$servers->kill(0);
        self::$servers->kill(1);
        try {
            self::assertFalse($store->read('k')->answered);
            self::assertSame('missed', $store->get('k', 'missed'));
            self::assertSame(self::rows('old'), (new Store\TieredStore($this->memory, $far, self::LONG))->get('k'));
        } finally {
            self::$servers->restart(0);
            self::$servers->restart(1);
        }
    }

    protected function near(): Store
    {
        return new ArrayStore();
    }

    protected function far(): Confirming
    {
        self::assertNotNull(self::$servers);

        return self::$servers->store('phpredis');
    }
}
