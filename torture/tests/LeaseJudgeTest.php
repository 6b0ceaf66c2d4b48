<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Lease\Cause;
use Larder\Torture\Lease\Compute;
use Larder\Torture\Lease\Fate;
use Larder\Torture\Lease\Judge;
use Larder\Torture\Lease\Kind;
use Larder\Torture\Lease\LeaseResult;
use Larder\Torture\Lease\Line;
use Larder\Torture\Lease\Tally;
use Larder\Torture\Lease\Worker;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** Diaries of two computes of one key; the second begins at second 10. */
#[CoversClass(Judge::class)]
#[CoversClass(Compute::class)]
#[CoversClass(Tally::class)]
#[CoversClass(LeaseResult::class)]
#[CoversClass(Line::class)]
final class LeaseJudgeTest extends TestCase
{
    /** @return iterable<string, array{list<Line>, Cause|null}> */
    public static function diaries(): iterable
    {
        $stored = static fn(Fate $fate, float $ttl, float $made = 5.0): array => [
            self::line(Kind::Begun, 4.9, word: $fate->value, ttl: $ttl, since: 4.8),
            self::line(Kind::Going, $made),
            self::line(Kind::Answered, $made + 0.1, word: 'Done'),
        ];
        $refused = static fn(float $began, string $outcome, float $answered = 9.0): array => [
            self::line(Kind::Begun, $began, word: Fate::Expire->value, ttl: 0.5, since: $began),
            self::line(Kind::Going, $answered - 0.1),
            self::line(Kind::Answered, $answered, word: $outcome),
        ];
        yield 'its ttl was over' => [$stored(Fate::Expire, 5.0), Cause::Expiry];
        yield 'its ttl was not over' => [$stored(Fate::Expire, 5.1), null];
        yield 'the store drops it a little early' => [$stored(Fate::ExpireCold, 5.1), Cause::Expiry];
        yield 'the store drops it much too early' => [$stored(Fate::ExpireCold, 5.3), null];
        yield 'it was to stay' => [$stored(Fate::Evict, 0.0), null];
        yield 'it was evicted' => [[...$stored(Fate::Evict, 0.0), self::line(Kind::Evicted, 9.0, since: 8.9)], Cause::Eviction];
        yield 'it was deleted' => [[...$stored(Fate::Delete, 0.0), self::line(Kind::Deleted, 9.0, since: 8.9)], Cause::Delete];
        yield 'the delete began before and ended after the next compute' => [[...$stored(Fate::Delete, 0.0), self::line(Kind::Deleted, 10.1, since: 9.9)], Cause::Delete];
        yield 'it was deleted only later' => [[...$stored(Fate::Delete, 0.0), self::line(Kind::Deleted, 10.2, since: 10.1)], null];
        yield 'the delete was before it' => [[self::line(Kind::Deleted, 4.0, since: 3.9), ...$stored(Fate::Delete, 0.0)], null];
        yield 'it was killed' => [[self::line(Kind::Begun, 9.5, word: Fate::Kill->value), self::line(Kind::Killed, 9.6)], Cause::Kill];
        yield 'it was killed too late' => [[self::line(Kind::Begun, 9.5, word: Fate::Kill->value), self::line(Kind::Killed, 10.1)], null];
        yield 'it was killed after it was stored' => [[...$stored(Fate::Kill, 0.0), self::line(Kind::Killed, 9.6)], null];
        yield 'it was killed, and found in the store' => [[self::line(Kind::Begun, 9.5, word: Fate::Kill->value), self::line(Kind::Going, 9.6), self::line(Kind::Killed, 9.7), self::line(Kind::Found, 9.8)], null];
        yield 'it outlived its lease' => [$refused(10.0 - Worker::LEASE, 'Exists'), Cause::Slow];
        yield 'it lost its lease too early' => [$refused(10.1 - Worker::LEASE, 'Exists'), null];
        yield 'the store was full' => [$refused(8.5, 'Refused'), Cause::Refusal];
        yield 'the store was full only later' => [$refused(8.5, 'Refused', 10.1), null];
        yield 'it is still being made' => [[self::line(Kind::Begun, 9.5, word: Fate::Expire->value, ttl: 0.2, since: 9.4)], null];
    }

    /** @param list<Line> $diary */
    #[DataProvider('diaries')]
    public function testASecondComputeNeedsACause(array $diary, ?Cause $cause): void
    {
        $tally = (new Judge([...$diary, self::line(Kind::Begun, 10.0, generation: 2, word: Fate::Keep->value)]))->of(0, 1, 0.2);

        self::assertSame(2, $tally->computes);
        self::assertSame(1, $tally->of(Cause::Cold));
        self::assertSame($cause === null ? 1 : 2, $tally->expected());
        self::assertCount($cause === null ? 1 : 0, $tally->wrong);
        if ($cause !== null) {
            self::assertSame(1, $tally->of($cause));
        }
    }

    /** A store that counts in ticks drops an old value without grace while it is made anew. */
    #[TestWith([5.1, 0.2, 3])]
    #[TestWith([4.9, 0.0, 2])]
    #[TestWith([2.5, 0.2, 2])]
    public function testAnOldValueThatGoesTakesTheLeaseAlong(float $ttl, float $earliness, int $expected): void
    {
        $tally = (new Judge([
            self::line(Kind::Begun, 4.9, word: Fate::ExpireCold->value, ttl: $ttl, since: 4.8),
            self::line(Kind::Going, 5.0),
            self::line(Kind::Answered, 5.1, word: 'Done'),
            self::line(Kind::Begun, 9.95, generation: 2, word: Fate::Evict->value, since: 9.9),
            self::line(Kind::Answered, 10.2, generation: 2, word: 'Exists'),
            self::line(Kind::Begun, 10.0, generation: 3, word: Fate::Keep->value),
        ]))->of(0, 1, $earliness);

        self::assertSame([3, $expected], [$tally->computes, $tally->expected()]);
    }

    public function testADeleteAccountsForOneComputeOnly(): void
    {
        $lines = [self::line(Kind::Begun, 1.0, word: Fate::Delete->value), self::line(Kind::Answered, 1.1, word: 'Done'), self::line(Kind::Deleted, 2.1, since: 1.9)];
        $lines[] = self::line(Kind::Begun, 2.0, generation: 2, word: Fate::Delete->value);
        $lines[] = self::line(Kind::Answered, 2.1, generation: 2, word: 'Done');
        $lines[] = self::line(Kind::Begun, 3.0, generation: 3, word: Fate::Delete->value);
        $tally = (new Judge($lines))->of(0, 1);

        self::assertSame([3, 2], [$tally->computes, $tally->expected()]);
        self::assertSame(['key 0: generation 3 was computed, though delete generation 2 was stored'], $tally->wrong);
    }

    public function testWhatReadersFoundCountsForTheirStore(): void
    {
        $lines = [self::line(Kind::Lost, 1.0, word: 'after 3'), self::line(Kind::Resurrected, 1.0, key: 1), self::line(Kind::Wrong, 1.0, key: 1, word: 'a reader waited in vain')];
        $judge = new Judge($lines);
        $tallies = ['memory' => $judge->of(0, 1), 'redis' => $judge->of(1, 1)];
        $result = new LeaseResult($tallies, [], 2, 100, 1.0, 2.0);

        self::assertSame('computes: 0 of 0 expected, lost: 1, resurrected: 1', $result->line());
        self::assertFalse($result->isClean());
        self::assertSame(['memory: lost: key 0, generation 1: after 3', 'redis: resurrected: key 1, generation 1:', 'redis: wrong: key 1, generation 1: a reader waited in vain'], $result->toArray()['findings']);
    }

    public function testARunShowsSomethingIfEveryStoreMetEverything(): void
    {
        $all = ['expiries' => 100, 'evictions' => 1, 'deletes' => 1, 'kills' => 1, 'outlived_leases' => 1];

        self::assertTrue(self::found($all)->shows(30));
        self::assertTrue(self::found($all)->isClean());
        self::assertFalse(self::found($all, Worker::WAIT + 0.1)->isClean());
        self::assertFalse(self::found(['expiries' => 99] + $all)->shows(30));
        self::assertFalse(self::found(['kills' => 0] + $all)->shows(30));
        self::assertFalse(self::found(['refusals' => 2] + $all)->shows(30));
    }

    public function testALineIsReadAsItWasWritten(): void
    {
        $line = self::line(Kind::Begun, 4.5, word: 'ä"' . "\n", ttl: 0.1, since: 1.0);

        self::assertEquals($line, Line::parse(rtrim($line->line(), "\n")));
        self::assertSame(1, substr_count($line->line(), "\n"));
        foreach (['', '[', '[]', '["begun",1]', '["none",1,1.0,0,0,0,"",0.0,0]', '{"begun":1}', substr($line->line(), 0, 20)] as $other) {
            self::assertNull(Line::parse($other));
        }
    }

    /** @param array<string, int> $causes */
    private static function found(array $causes, float $wait = 1.0): LeaseResult
    {
        return new LeaseResult(['memory' => new Tally(104, $causes, [], 0, 0)], [], 2, 100, $wait, 30.0);
    }

    private static function line(Kind $kind, float $at, int $key = 0, int $generation = 1, string $word = '', float $ttl = 0.0, float $since = 0.0): Line
    {
        return new Line($kind, (int) ($at * 1e9), $at, $key, $generation, 7, $word, $ttl, (int) ($since * 1e9));
    }
}
