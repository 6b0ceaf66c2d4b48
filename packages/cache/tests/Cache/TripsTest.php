<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Bridge\Symfony\TaggedCache;
use Larder\Cache;
use Larder\Cache\Inspection;
use Larder\Cache\Settings;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Memcached;
use Larder\Psr\Pool;
use Larder\Psr\SimpleCache;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\MemcachedStore;
use Larder\Store\Operation;
use Larder\Store\RedisStore;
use Larder\Store\Seal;
use Larder\Store\TieredStore;
use Larder\Testbed\Server\Memcached as MemcachedServer;
use Larder\Testbed\Server\Redis as RedisServer;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\CountedTrips;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** However many keys or names a call has, it takes as many round trips to the servers as for one. */
#[CoversClass(Cache::class)]
#[CoversClass(Operation::class)]
#[CoversClass(Gates::class)]
final class TripsTest extends TestCase
{
    private TemporaryDirectory $directory;

    private MemcachedServer|RedisServer $server;

    private CountedTrips $trips;

    protected function tearDown(): void
    {
        if (isset($this->trips)) {
            $this->trips->stop();
            $this->server->stop();
            $this->directory->remove();
        }
    }

    /** @return iterable<string, array{class-string, Closure(string): Store}> the server, and the store on an address */
    public static function stores(): iterable
    {
        $memcached = static fn(string $address): Memcached => new Memcached($address, timeout: 5000, shared: false);
        $redis = static fn(string $address, string $client, ?Seal $seal = null): Store => RedisStore::on(
            $address,
            'site',
            timeout: 5000,
            client: $client === 'predis' ? 'predis' : 'phpredis',
            seal: $seal,
        );
        $seal = new Seal(Seal::newKey());
        yield 'sealed memcached' => [
            MemcachedServer::class,
            static fn(string $address): Store => new MemcachedStore(
                'site',
                new Memcached($address, timeout: 5000, serializer: 'none', shared: false),
                seal: $seal,
            ),
        ];
        yield 'sealed Redis' => [
            RedisServer::class,
            static fn(string $address): Store => $redis($address, 'predis', $seal),
        ];
        yield 'memcached' => [
            MemcachedServer::class,
            static fn(string $address): Store => new MemcachedStore('site', $memcached($address)),
        ];
        yield 'the client of memcached' => [MemcachedServer::class, $memcached];
        yield 'Predis' => [RedisServer::class, static fn(string $address): Store => $redis($address, 'predis')];
        yield 'phpredis' => [RedisServer::class, static fn(string $address): Store => $redis($address, 'phpredis')];
        yield 'a tier over memcached' => [
            MemcachedServer::class,
            static fn(string $address): Store => new TieredStore(
                new ArrayStore(),
                new MemcachedStore('site', $memcached($address)),
            ),
        ];
        yield 'a tier over Redis' => [
            RedisServer::class,
            static fn(string $address): Store => TieredStore::over(new ArrayStore(), $redis($address, 'predis')),
        ];
    }

    /**
     * @param class-string<MemcachedServer|RedisServer> $server
     * @param Closure(string): Store                    $open
     */
    #[DataProvider('stores')]
    public function testManyKeysAreOneTrip(string $server, Closure $open): void
    {
        $cache = $this->cache($server, $open);
        $one = [
            'setMultiple' => 1,
            'setMultiple with ttls' => 1,
            'deleteMultiple' => 1,
            'SimpleCache::setMultiple' => 1,
            'Pool::commit' => 1,
            // A look, and a compare-and-swap.
            'touchMultiple' => 2,
            'appendMultiple' => 2,
            'look and casMultiple' => 2,
            // A look, the leases, the counter of changes, and the writes.
            'rememberMultiple' => 4,
        ];

        foreach ([1, 10, 200] as $count) {
            self::assertSame($one, array_map(
                fn(Closure $call): int => $this->trips->of($call),
                $this->calls($cache, $count),
            ), "of $count keys");
        }
    }

    /**
     * @param class-string<MemcachedServer|RedisServer> $server
     * @param Closure(string): Store                    $open
     */
    #[DataProvider('stores')]
    public function testManyNamesAreAsManyTripsAsOne(string $server, Closure $open): void
    {
        $cache = $this->cache($server, $open);
        $trips = [];
        foreach ([1, 10, 200] as $count) {
            $names = self::keys($count, 'name ');
            $trips[$count] = [
                'change of names that nobody has read' => $this->trips->of(
                    static fn() => $cache->change($names, static fn(Change $change) => $change->check()),
                ),
                'rememberMultiple, each with a name' => $this->trips->of(static fn() => self::remember($cache, $count)),
                'hits' => $this->trips->of(static fn() => self::remember($cache, $count)),
                'change of names that were read' => $this->trips->of(
                    static fn() => $cache->change($names, static fn(Change $change) => $change->check()),
                ),
                'made again' => $this->trips->of(static fn() => self::remember($cache, $count)),
                'a hit, so that no miss is expected' => $this->trips->of(
                    static fn() => $cache->remember('a', static fn(): int => 1, reads: ['a']),
                ),
                'one value of all names' => $this->trips->of(
                    static fn() => $cache->remember("of $count", static fn(): int => 1, reads: $names),
                ),
                'invalidateTags' => $this->trips->of(static fn() => (new TaggedCache($cache))->invalidateTags($names)),
            ];
        }

        self::assertSame([$trips[1], $trips[1]], [$trips[10], $trips[200]]);
        // The look, the lease with the versions, the check that they are the same, the write.
        self::assertSame(4, $trips[1]['one value of all names']);
        // The mark with the first look, the closing, the check, the counter, the opening.
        self::assertSame(5, $trips[1]['change of names that were read']);
    }

    /**
     * @param class-string<MemcachedServer|RedisServer> $server
     * @param Closure(string): Store                    $open
     */
    #[DataProvider('stores')]
    public function testAMissIsTwoTripsWhereOneIsExpected(string $server, Closure $open): void
    {
        $cache = $this->cache($server, $open);
        $cache->remember('told', static fn(): int => 1, reads: ['a']);
        $cache->remember('hit', static fn(): int => 1);
        $trips = fn(string $key, string ...$names): int => $this->trips->of(
            static fn() => $cache->remember($key, static fn(): int => 1, reads: array_values($names)),
        );

        self::assertSame(1, $trips('hit'));
        // The look, the lease with the counter of changes, and the write.
        self::assertSame([3, 3], [$trips('1'), $trips('2')], 'after a hit and one miss');
        self::assertSame([2, 2], [$trips('3'), $trips('4')], 'the look with the lease, and the write');
        self::assertSame(3, $trips('5', 'a'), 'and the check that the versions are the same');
        self::assertSame([1, 1], [$trips('told', 'a'), $trips('hit')], 'a hit all the same');
        self::assertSame(3, $trips('6'), 'after a hit');
    }

    /**
     * @param class-string<MemcachedServer|RedisServer> $server
     * @param Closure(string): Store                    $open
     */
    private function cache(string $server, Closure $open): Cache
    {
        if (!\extension_loaded('larder') && $server === MemcachedServer::class) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        $this->directory = new TemporaryDirectory();
        $this->server = new $server($this->directory->path . '/server');
        $this->trips = new CountedTrips('tcp://127.0.0.1:' . $this->server->endpoint()->port);
        $store = $open('127.0.0.1:' . $this->trips->port);
        $gates = new Gates($store, inTransaction: static fn(): bool => false);
        $cache = new Cache($store, $gates, new Settings(early: 0.0));
        // What is done once by each process or server: to connect, to load scripts, to learn a generation.
        array_map(static fn(Closure $call): mixed => $call(), $this->calls($cache, 2));
        $cache->change(['a'], static fn(): null => null);
        $cache->remember('a', static fn(): int => 1, reads: ['a']);

        return $cache;
    }

    /** @return array<string, Closure(): mixed> */
    private function calls(Cache $cache, int $count): array
    {
        $keys = self::keys($count);
        $values = array_fill_keys($keys, 'a value');
        $pool = new Pool($cache);
        foreach ($keys as $number => $key) {
            $pool->saveDeferred($pool->getItem($key)->set('text')->expiresAfter(100 + $number));
        }

        return [
            'setMultiple' => static fn() => $cache->setMultiple($values, 100),
            'setMultiple with ttls' => static fn() => $cache->setMultiple($values, array_flip($keys)),
            'deleteMultiple' => static fn() => $cache->deleteMultiple($keys),
            'SimpleCache::setMultiple' => static fn() => (new SimpleCache($cache))->setMultiple($values, 100),
            'Pool::commit' => static fn() => $pool->commit(),
            'touchMultiple' => static fn() => $cache->touchMultiple($keys, 1000),
            'appendMultiple' => static fn() => $cache->appendMultiple(array_fill_keys($keys, '!')),
            'look and casMultiple' => static fn() => $cache->casMultiple($values, array_map(
                static fn(Inspection $look): int => $look->version,
                $cache->look(...$keys),
            )),
            'rememberMultiple' => static fn() => $cache->rememberMultiple(
                self::keys($count, 'made of ' . $count . ' '),
                static fn(array $keys): array => array_fill_keys($keys, 1),
            ),
        ];
    }

    private static function remember(Cache $cache, int $count): void
    {
        $values = $cache->rememberMultiple(
            self::keys($count, "of $count: "),
            static fn(array $keys): array => array_fill_keys($keys, 1),
            reads: static fn(string $key): array => ['name ' . substr($key, \strlen("of $count: "))],
        );
        self::assertCount($count, $values);
    }

    /** @return list<string> */
    private static function keys(int $count, string $prefix = 'key '): array
    {
        return array_map(static fn(int $number): string => $prefix . $number, range(1, $count));
    }
}
