<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\SharedMemoryStore;
use Larder\Tests\Store\Contract\UnreadableContract;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\LoggerInterface;

/** Its bytes are out of reach; those of a damaged segment are in ext/core's tests. */
#[CoversClass(SharedMemoryStore::class)]
final class SharedMemoryUnreadableTest extends UnreadableContract
{
    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
    }

    protected function open(LoggerInterface $log, Counters $counters): Store
    {
        return SharedMemoryStore::on('unreadable', $log, $counters);
    }

    public function testWithoutALogOfItsOwnTheCacheThatIsMadeOnItSaysIt(): void
    {
        $store = SharedMemoryStore::on('unreadable');
        \assert($store instanceof SharedMemory);
        self::assertNull($store->reportTo(null));
        SharedMemoryStore::report($store, $this->log, $this->counters);
        $first = $store->reportTo(null);
        self::assertNotNull($first);
        $store->reportTo($first);
        SharedMemoryStore::report($store, null, $this->counters);

        self::assertSame($first, $store->reportTo(null), 'who hears of it already goes on to');
    }
}
