<?php

declare(strict_types=1);

namespace App\Tests;

use App\Configuration;
use App\SearchPolicy;
use App\ValueStore;
use Larder\Metrics\NullCounters;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\NullStore;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use UnexpectedValueException;

#[CoversClass(Configuration::class)]
#[CoversClass(SearchPolicy::class)]
#[CoversClass(ValueStore::class)]
final class ValueStoreTest extends TestCase
{
    /**
     * @return iterable<string, array{string, class-string<Store>, class-string<Store>}> setting, what it is with the
     *     extension and without
     */
    public static function settings(): iterable
    {
        yield 'none' => ['none', NullStore::class, NullStore::class];
        yield 'memory' => ['memory', SharedMemory::class, NullStore::class];
        yield 'memcached' => ['memcached:127.0.0.1:1', MemcachedStore::class, NullStore::class];
        yield 'two of them' => ['memcached:127.0.0.1:1,unix:/nowhere', MemcachedStore::class, NullStore::class];
        yield 'Redis' => ['redis:unix:/nowhere', RedisStore::class, RedisStore::class];
        yield 'two of those' => ['redis:127.0.0.1:1,127.0.0.1:2', RedisStore::class, RedisStore::class];
        yield 'memory before memcached' => ['tiered:memcached:127.0.0.1:1', TieredStore::class, NullStore::class];
    }

    /**
     * @param class-string<Store> $with
     * @param class-string<Store> $without
     */
    #[DataProvider('settings')]
    public function testASettingNamesAStore(string $setting, string $with, string $without): void
    {
        self::assertInstanceOf(
            class_exists(SharedMemory::class, false) ? $with : $without,
            $this->stores()->of($setting),
        );
    }

    public function testAnotherIsRefused(): void
    {
        $this->expectException(UnexpectedValueException::class);
        $this->expectExceptionMessage('APP_STORE: there is no store "disk:/tmp"');
        $this->stores()->of('disk:/tmp');
    }

    public function testWhatTheEnvironmentSays(): void
    {
        $default = new Configuration([]);
        self::assertSame(
            [true, true, 'memory', 250, SearchPolicy::Exact],
            [$default->cache, $default->pagesCache, $default->store, $default->storeTimeout, $default->search],
        );

        $objects = new Configuration([
            'APP_PAGES_CACHE' => 'off',
            'APP_STORE' => 'redis:a:1',
            'APP_STORE_TIMEOUT' => '50',
            'APP_SEARCH' => 'ids',
        ]);
        self::assertSame(
            [true, false, 'redis:a:1', 50, SearchPolicy::Ids],
            [$objects->cache, $objects->pagesCache, $objects->store, $objects->storeTimeout, $objects->search],
        );

        $off = new Configuration(['APP_CACHE' => 'off']);
        self::assertSame([false, false], [$off->cache, $off->pagesCache]);
        self::assertNotSame(
            $default->namespace(),
            (new Configuration(['APP_DATABASE' => '/elsewhere']))->namespace(),
            'Two sites on one server do not meet.',
        );
    }

    public function testAPolicyThatIsNoneIsRefused(): void
    {
        $this->expectException(UnexpectedValueException::class);
        $this->expectExceptionMessage('APP_SEARCH is none, ids, ttl or exact');
        new Configuration(['APP_SEARCH' => 'never']);
    }

    private function stores(): ValueStore
    {
        return new ValueStore('site', 100, new NullLogger(), new NullCounters());
    }
}
