<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\MemcachedPool;
use Larder\Code\Puller;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\CountedTrips;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Counted by what goes over the wire, and not by the pool's own account. */
#[CoversClass(MemcachedPool::class)]
#[CoversClass(Puller::class)]
final class RoundTripsTest extends TestCase
{
    private const FILES = 2_000;

    /** Bytes of a file: 6.8 MB in all. */
    private const SIZE = 3_400;

    private TemporaryDirectory $directory;
    private Memcached $server;
    private CountedTrips $counted;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->server = new Memcached($this->directory->path, megabytes: 256);
        $endpoint = $this->server->endpoint();
        $this->counted = new CountedTrips("tcp://$endpoint->host:$endpoint->port");
    }

    protected function tearDown(): void
    {
        $this->counted->stop();
        $this->server->stop();
        $this->directory->remove();
    }

    public function testAPullOfTwoThousandFilesTakesThreeRoundTrips(): void
    {
        $shop = new Shop($this->pool());
        for ($file = 0; $file < self::FILES; ++$file) {
            $shop->write([$file % 50 . "/$file.php" => bin2hex(random_bytes(self::SIZE / 2))]);
        }
        $shop->push('r1');
        $pulled = null;
        $trips = $this->counted->of(static function () use ($shop, &$pulled): void {
            $pulled = $shop->puller()->pull();
        });

        self::assertSame(3, $trips, 'the record, the list, and the packs');
        self::assertSame(3, $pulled?->trips);
        self::assertGreaterThan(5, $pulled->packs);
        self::assertSame(1, $this->counted->of(static fn() => $shop->puller()->pull()), 'nothing new');
        $shop->remove();
    }

    public function testAFurtherSetOfPacksTakesOneMore(): void
    {
        $shop = new Shop($this->pool());
        $shop->write(['large' => random_bytes(65 * 900_000)])->push('r1');

        self::assertSame(4, $this->counted->of(static fn() => $shop->puller()->pull()));
        $shop->remove();
    }

    private function pool(): MemcachedPool
    {
        return new MemcachedPool('127.0.0.1:' . $this->counted->port);
    }
}
