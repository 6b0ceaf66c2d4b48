<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\SharedMemoryStore;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;

/** The contract with the extension loaded: php -d extension=build/extension/larder.so vendor/bin/phpunit lib/tests/Store */
#[CoversClass(SharedMemoryStore::class)]
final class SharedMemoryStoreTest extends StoreContract
{
    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
    }

    public function testIsTheSharedMemoryItself(): void
    {
        $log = new TestLog();
        $store = new SharedMemoryStore('contract', $log);
        $memory = new SharedMemory('contract');
        $memory->set('k', 'from below');

        self::assertSame('from below', $store->get('k'));
        self::assertSame([], $log->lines());
    }

    protected function open(string $namespace): Store
    {
        return new SharedMemoryStore($namespace);
    }
}
