<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store;
use Larder\Store\Operation;
use Larder\Tests\Store\Contract\ManyKeys;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Many keys in one call of the client of memcached itself, which sends operations by its pipeline. */
#[CoversClass(Operation::class)]
final class MemcachedOperationsTest extends TestCase
{
    use ManyKeys;

    protected Store $store;

    protected Store $other;

    private static ?MemcachedServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function setUp(): void
    {
        self::assertNotNull(self::$servers);
        $this->store = self::$servers->client();
        $this->other = self::$servers->client();
        $this->store->clear();
    }
}
