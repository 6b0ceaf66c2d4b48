<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\SharedMemoryStore;
use Larder\Tests\Store\Contract\Near;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract with the extension loaded: tools/phpunit cache --filter=SharedMemoryStoreTest */
#[CoversClass(SharedMemoryStore::class)]
final class SharedMemoryStoreTest extends StoreContract
{
    use Near;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
    }

    public function testIsTheSharedMemoryItself(): void
    {
        $log = new TestLog();
        $store = SharedMemoryStore::on('contract', $log);
        (new SharedMemory('contract'))->set('k', 'from below');

        self::assertInstanceOf(SharedMemory::class, $store);
        self::assertSame('from below', $store->get('k'));
        self::assertSame([], $log->lines());
    }

    protected function open(string $namespace): Store
    {
        return SharedMemoryStore::on($namespace);
    }
}
