<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Memcached;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\Confirming;
use Larder\Store\MemcachedStamps;
use Larder\Store\MemcachedStore;
use Larder\Testbed\Process\Fork;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;

/** Shared memory, which the processes of the host have in common, before memcached. With the extension loaded. */
#[CoversClass(MemcachedStamps::class)]
final class TieredValuesTest extends TieredValues
{
    private static ?MemcachedServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder') || !class_exists(Memcached::class, false)) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(2);
        self::$servers->settle();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    public function testAConfirmedValueDoesNotTravel(): void
    {
        $large = random_bytes(1_000_000);
        $store = $this->tiers();
        self::assertSame(Outcome::Done, $store->set('large', $large));
        self::assertSame($large, $store->get('large'));
        $before = $this->received();

        self::assertSame($large, $store->get('large'));
        self::assertLessThan(1000, $this->received() - $before);
        self::assertSame($store->read('large')->version, $this->far->read('large')->version);
    }

    /** @param Closure(Store): mixed $write */
    #[DataProvider('writes')]
    public function testAWriteOfAnotherProcessOfTheHostIsSeenByTheNextReadWithALagToo(Closure $write, mixed $now): void
    {
        $isThere = $now !== null;
        $store = $this->tiers(self::LONG);
        $store->set('k', self::rows('old'));
        self::assertSame(self::rows('old'), $store->get('k'));
        $this->inAnotherProcess(fn(): mixed => $write($this->tiers(self::LONG)));

        self::assertSame($now, $store->get('k'));
        self::assertSame($isThere, $store->has('k'));
    }

    protected function near(): Store
    {
        return new SharedMemory('near');
    }

    protected function far(): Confirming
    {
        self::assertNotNull(self::$servers);

        return new MemcachedStore('site', self::$servers->client());
    }

    private function received(): int
    {
        self::assertNotNull(self::$servers);

        return array_sum(array_column(self::$servers->client()->info(), 'bytesReceived'));
    }

    /** A child of this process, which ends without a word to what it has inherited. */
    private function inAnotherProcess(Closure $do): void
    {
        pcntl_waitpid(Fork::start($do), $status);
        self::assertIsInt($status);
        self::assertTrue(pcntl_wifsignaled($status));
    }
}
