<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Memory;

use Closure;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Tests\Workload\Client\Jobs;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Memory\Footprint;
use Larder\Bench\Workload\Memory\HitRatio;
use Larder\Bench\Workload\Memory\NewKeys;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Footprint::class)]
#[CoversClass(HitRatio::class)]
#[CoversClass(NewKeys::class)]
final class CacheTest extends TestCase
{
    private const SMALL = ['keys' => 2000, 'requests' => 20_000];

    public function testAStoreThatIsAnLruHasTheHitsOfOne(): void
    {
        foreach (['zipf', 'scan'] as $pattern) {
            $measured = self::hits(200, pattern: $pattern);

            self::assertSame(0.0, $measured->extra['points above LRU']);
            self::assertSame([10.0, 200.0], [$measured->extra['keys held, %'], $measured->extra['keys held']]);
            self::assertLessThan(0.0, $measured->extra['points above SIEVE']);
            self::assertSame($measured->extra['hits, %'], $measured->extra['LRU of as many keys, %']);
            self::assertSame(20_000, $measured->window->operations);
        }
    }

    public function testAScanCostsHits(): void
    {
        self::assertGreaterThan(
            self::hits(200, pattern: 'scan')->extra['hits, %'] + 10,
            self::hits(200)->extra['hits, %'],
        );
    }

    public function testAWrongHitVoidsIt(): void
    {
        $old = null;
        $this->expectException(WrongReply::class);
        self::hits(200, static function (mixed $value) use (&$old): mixed {
            return $old ??= $value;
        });
    }

    public function testAStoreThatHoldsAllTellsNothing(): void
    {
        $this->expectException(NotApplicable::class);
        self::hits(2000);
    }

    public function testRequestsAreTheSameForASeedAndWithinTheKeys(): void
    {
        $one = HitRatio::requests(Jobs::job([...self::SMALL, 'pattern' => 'scan']));
        self::assertSame($one, HitRatio::requests(Jobs::job([...self::SMALL, 'pattern' => 'scan'])));
        self::assertNotSame($one, HitRatio::requests(Jobs::job([...self::SMALL, 'pattern' => 'scan'], seed: 8)));
        self::assertCount(20_000, $one);
        self::assertSame([], array_diff($one, range(0, 1999)));
        // Two fortieths by popularity, then one in order; the next scan goes on where this one ended.
        self::assertSame(
            [...range(0, 49), ...range(50, 99)],
            [...\array_slice($one, 100, 50), ...\array_slice($one, 250, 50)],
        );
        $this->expectExceptionMessage('There are: zipf, scan.');
        HitRatio::requests(Jobs::job(['pattern' => 'all']));
    }

    public function testBytesAreWhatAValueAddsToTheStore(): void
    {
        foreach (['int', 'rows'] as $value) {
            $measured = self::bytes($value);

            self::assertSame(
                [100.0, 90.0, 0.0],
                [
                    $measured->extra['taken, bytes'],
                    $measured->extra['by its own account, bytes'],
                    $measured->extra['request heap of a get, bytes'],
                ],
            );
        }
    }

    public function testACopyIsCountedAsRequestHeap(): void
    {
        $copying = self::bytes(
            'text',
            static fn(mixed $text): string => strrev(strrev(\is_string($text) ? $text : '')),
        );
        self::assertEqualsWithDelta(100_000.0, $copying->extra['request heap of a get, bytes'], 5000.0);
    }

    public function testAWrongValueVoidsTheBytesToo(): void
    {
        $this->expectException(WrongReply::class);
        self::bytes('int', static fn(): int => 3);
    }

    public function testNewKeysAreCountedWhereThereIsRoom(): void
    {
        foreach (['new', 'free'] as $room) {
            $measured = self::newKeys(5000, $room);

            self::assertSame([3000, []], [$measured->window->operations, $measured->extra]);
            self::assertSame([3000, 3], [$measured->coverage?->replies, $measured->coverage?->checked]);
        }
    }

    public function testAFullStoreTellsHowManyItHeld(): void
    {
        self::assertSame(['most keys held' => 2000.0], self::newKeys(2000, 'full')->extra);
    }

    public function testAStoreThatDropsThoughItShallHaveRoomTellsNothing(): void
    {
        $this->expectExceptionMessage('cannot hold all of them');
        self::newKeys(2000, 'new');
    }

    public function testAStoreThatShallBeFullAndIsNotTellsNothing(): void
    {
        $this->expectExceptionMessage('holds all of them');
        self::newKeys(50_000, 'full');
    }

    public function testANewKeyThatIsNotStoredVoidsIt(): void
    {
        $this->expectException(WrongReply::class);
        self::newKeys(5000, 'free', static fn(): null => null);
    }

    public function testThereAreThreeRooms(): void
    {
        $this->expectExceptionMessage('There are: new, free, full.');
        self::newKeys(5000, 'some');
    }

    public function testBothLeaveOutWhoHasNoAccount(): void
    {
        $noop = new Definition('noop', 'Nothing', Noop::class, static fn(): Noop => new Noop());
        self::assertSame(
            ['has no account of its memory', 'has no account of its memory'],
            [(new HitRatio())->refuses($noop), (new Footprint())->refuses($noop)],
        );
        self::assertSame('has no account of its memory', (new NewKeys())->refuses($noop));
        self::assertNull((new NewKeys())->refuses(self::store(1, null)));
    }

    /** @param Closure(mixed, string): mixed|null $spoilt */
    private static function hits(int $room, ?Closure $spoilt = null, string $pattern = 'zipf'): Measured
    {
        return (new HitRatio())->measure(
            Jobs::job([...self::SMALL, 'pattern' => $pattern]),
            self::store($room, $spoilt),
        );
    }

    /** @param Closure(mixed, string): mixed|null $spoilt */
    private static function bytes(string $value, ?Closure $spoilt = null): Measured
    {
        return (new Footprint())->measure(Jobs::job(['value' => $value]), self::store(PHP_INT_MAX, $spoilt));
    }

    /** @param Closure(mixed, string): mixed|null $spoilt */
    private static function newKeys(int $holds, string $room, ?Closure $spoilt = null): Measured
    {
        return (new NewKeys())->measure(Jobs::job(['room' => $room, 'sets' => 3000]), self::store($holds, $spoilt));
    }

    /** @param Closure(mixed, string): mixed|null $spoilt */
    private static function store(int $room, ?Closure $spoilt): Definition
    {
        return new Definition(
            'store',
            'FaultyStore',
            FaultyStore::class,
            static fn(): FaultyStore => new FaultyStore($room, $spoilt),
        );
    }
}
