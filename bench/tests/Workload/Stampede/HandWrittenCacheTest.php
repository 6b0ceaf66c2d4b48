<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Tests\Subject\Servers;
use Larder\Bench\Workload\Stampede\Mode\LockWait;
use Larder\Bench\Workload\Stampede\Mode\MemcachedShelf;
use Larder\Bench\Workload\Stampede\Mode\MemoryShelf;
use Larder\Bench\Workload\Stampede\Mode\RedisShelf;
use Larder\Bench\Workload\Stampede\Mode\SoftExpiry;
use Larder\Bench\Workload\Stampede\Mode\Unprotected;
use Larder\Bench\Workload\Stampede\StampedeSubjects;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(LockWait::class)]
#[CoversClass(MemcachedShelf::class)]
#[CoversClass(MemoryShelf::class)]
#[CoversClass(RedisShelf::class)]
#[CoversClass(SoftExpiry::class)]
#[CoversClass(StampedeSubjects::class)]
#[CoversClass(Unprotected::class)]
final class ModesTest extends TestCase
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
    public static function modes(): iterable
    {
        foreach (StampedeSubjects::rows() as $row) {
            yield $row->id => [$row];
        }
    }

    #[DataProvider('modes')]
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

    /** What a second process gets while a first one makes the value anew. */
    #[DataProvider('modes')]
    public function testASecondOneMeanwhile(Definition $row): void
    {
        $one = self::connected($row);
        $other = self::connected($row);
        $key = $row->id . ':meanwhile';
        $soft = str_starts_with($row->id, 'soft-');
        $freshness = new Freshness(60.0, $soft ? 60.0 : 0.0, 1.0);
        if ($soft) {
            $one->remember($key, static fn(): string => 'old', $freshness);
        }
        $begin = 0;
        $got = null;
        self::assertSame('new', $one->remember($key, static function () use ($other, $key, $freshness, &$begin, &$got): string {
            $begin = hrtime(true);
            $got = $other->remember($key, static fn(): string => 'of the other', $freshness);
            $begin = hrtime(true) - $begin;

            return 'new';
        }, $freshness));
        self::assertSame($soft ? 'old' : 'of the other', $got);
        if (str_starts_with($row->id, 'lock-')) {
            self::assertGreaterThan(0.5e9, $begin, 'it had to wait until the lock was over');
        }
    }

    public function testHasARowForEachModeAndStore(): void
    {
        $ids = array_column(StampedeSubjects::rows(), 'id');
        self::assertSame(['none-memory', 'soft-memory', 'lock-memory', 'none-memcached', 'soft-memcached', 'lock-memcached', 'none-redis', 'soft-redis', 'lock-redis'], $ids);
        self::assertSame($ids, array_values(array_filter($ids, StampedeSubjects::has(...))));
        self::assertFalse(StampedeSubjects::has('cache-memory'));
        foreach (StampedeSubjects::rows() as $row) {
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
