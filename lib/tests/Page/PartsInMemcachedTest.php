<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\MemcachedPageStore;
use Larder\Page\NginxTemplates;
use Larder\Page\Pages;
use Larder\Testbed\Server\Memcached;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(NginxTemplates::class)]
final class PartsInMemcachedTest extends PartsCase
{
    /** @var list<Memcached> */
    private static array $memcached;

    protected static function startStore(string $directory): array
    {
        self::$memcached = [
            new Memcached($directory . '/mc1', socket: true),
            new Memcached($directory . '/mc2', socket: true),
        ];

        return array_map(
            static fn(Memcached $server): string => 'unix:' . $server->endpoint()->socket,
            self::$memcached,
        );
    }

    /** nginx takes an empty value for an empty part, and the stub of a page is one. */
    public function testAPartThatAnotherProcessIsMakingIsNotEmpty(): void
    {
        $store = Pages::of(self::$site)->pageStore('r1');
        self::assertInstanceOf(MemcachedPageStore::class, $store);
        $lease = $store->acquire('/@larder/part/box/latest');
        self::assertNotNull($lease);
        self::assertNull($store->acquire('/@larder/part/box/latest'), 'One makes it.');
        $page = '<h1>four</h1><p>latest: five</p>';
        self::assertSame($page, $this->get('/shared/4')->body);
        $hit = $this->get('/shared/4');
        self::assertSame([$page, 'larder; hit'], [$hit->body, $hit->header('cache-status')]);
        $lease->release();
        self::assertSame($page, $this->get('/shared/4')->body);
        self::assertNull($store->acquire('/@larder/part/box/latest'), 'Now it is kept.');
    }

    protected static function stopStore(): void
    {
        foreach (self::$memcached as $server) {
            $server->stop();
        }
    }
}
