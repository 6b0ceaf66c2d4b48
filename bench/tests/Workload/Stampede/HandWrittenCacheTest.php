<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Tests\Subject\Servers;
use Larder\Bench\Workload\Stampede\ClientTtlStore;
use Larder\Bench\Workload\Stampede\HandWrittenCache;
use Larder\Bench\Workload\Stampede\HandWrittenCaches;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(HandWrittenCache::class)]
#[CoversClass(HandWrittenCaches::class)]
#[CoversClass(ClientTtlStore::class)]
final class HandWrittenCacheTest extends TestCase
{
    private static ?Servers $servers = null;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new Servers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    /** @return iterable<string, array{Definition}> */
    public static function caches(): iterable
    {
        foreach (HandWrittenCaches::subjects() as $row) {
            yield $row->id => [$row];
        }
    }

    #[DataProvider('caches')]
    public function testMakesAValueOnceAndAgainWhenItIsGone(Definition $row): void
    {
        $subject = self::connected($row);
        $freshness = new Freshness(100.0, 50.0, 5.0);
        $never = static fn(): never => throw new LogicException('it is there');
        self::assertSame([1], $subject->remember($row->id . ':once', static fn(): array => [1], $freshness));
        self::assertSame([1], $subject->remember($row->id . ':once', $never, $freshness));
        self::assertSame([1], self::connected($row)->remember($row->id . ':once', $never, $freshness));
        $subject->forget($row->id . ':once');
        self::assertSame([2], $subject->remember($row->id . ':once', static fn(): array => [2], $freshness));
    }

    /** While a first process makes the value anew, a second one asks for it. */
    #[DataProvider('caches')]
    public function testWhatASecondProcessGetsMeanwhile(Definition $row): void
    {
        $one = self::connected($row);
        $other = self::connected($row);
        $key = $row->id . ':meanwhile';
        $soft = str_starts_with($row->id, 'soft-');
        $freshness = new Freshness(60.0, $soft ? 60.0 : 0.0, 1.0);
        if ($soft) {
            $one->remember($key, static fn(): string => 'old', $freshness);
        }
        $got = null;
        $compute = static function () use ($other, $key, $freshness, &$got): string {
            $got = $other->remember($key, static fn(): string => 'of the other', $freshness);

            return 'new';
        };
        self::assertSame('new', $one->remember($key, $compute, $freshness));
        self::assertSame($soft ? 'old' : 'of the other', $got);
    }

    public function testWaitsWhileAnotherProcessHasTheLockAndComputesWhenTheLockEnds(): void
    {
        $store = new LockedStore(refusals: 3);
        $cache = new HandWrittenCache(HandWrittenCache::LOCK, $store);
        $value = $cache->remember('key', static function () use ($store): string {
            $store->calls[] = 'compute';

            return 'new';
        }, new Freshness(60.0, 0.0, 1.0));
        self::assertSame('new', $value);
        $look = ['get', 'add'];
        self::assertSame([...$look, ...$look, ...$look, ...$look, 'compute', 'set', 'delete'], $store->calls);
    }

    public function testTakesTheValueThatAppearsWhileItWaitsForTheLock(): void
    {
        $store = new LockedStore(refusals: 3, other: 'of the other');
        $never = static fn(): never => throw new LogicException('the other process makes it');
        $cache = new HandWrittenCache(HandWrittenCache::LOCK, $store);
        self::assertSame('of the other', $cache->remember('key', $never, new Freshness(60.0, 0.0, 1.0)));
        self::assertSame(['get', 'add', 'get', 'add', 'get', 'add', 'get'], $store->calls);
    }

    public function testHasARowForEachModeAndStore(): void
    {
        $ids = array_column(HandWrittenCaches::subjects(), 'id');
        self::assertSame(
            [
                'none-memory', 'soft-memory', 'lock-memory', 'none-memcached', 'soft-memcached', 'lock-memcached',
                'none-redis', 'soft-redis', 'lock-redis',
            ],
            $ids,
        );
        self::assertSame($ids, array_values(array_filter($ids, HandWrittenCaches::hasSubject(...))));
        self::assertFalse(HandWrittenCaches::hasSubject('cache-memory'));
        foreach (HandWrittenCaches::subjects() as $row) {
            self::assertArrayHasKey('protection', $row->terms);
        }
    }

    private static function connected(Definition $row): Remembering
    {
        if ($row->missing() !== []) {
            self::markTestSkipped('needs PHP with ' . implode(', ', $row->missing()));
        }
        $servers = self::$servers ?? throw new LogicException('no servers');
        $subject = ($row->make)();
        self::assertInstanceOf(Remembering::class, $subject);
        $subject->connect(new Context($servers->endpoints($row->needs, 1), $servers->directory));

        return $subject;
    }
}
