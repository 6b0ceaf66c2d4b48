<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Lease\Cause;
use Larder\Proof\Lease\Compute;
use Larder\Proof\Lease\Ending;
use Larder\Proof\Lease\EventKind;
use Larder\Proof\Lease\LeaseJudge;
use Larder\Proof\Lease\LeaseTorture;
use Larder\Proof\Lease\LeaseWorker;
use Larder\Proof\Lease\LogEntry;
use Larder\Proof\Lease\StoreTally;
use Larder\Proof\Result;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** Logs of two computes of one key. The second one begins at second 10. */
#[CoversClass(LeaseJudge::class)]
#[CoversClass(Compute::class)]
#[CoversClass(StoreTally::class)]
#[CoversClass(LeaseTorture::class)]
#[CoversClass(LogEntry::class)]
final class LeaseJudgeTest extends TestCase
{
    /** @return iterable<string, array{list<LogEntry>, Cause|null}> */
    public static function logs(): iterable
    {
        $stored = static fn(Ending $ending, float $ttl, float $made = 5.0): array => [
            self::line(EventKind::Begun, 4.9, word: $ending->value, ttl: $ttl, since: 4.8),
            self::line(EventKind::Going, $made),
            self::line(EventKind::Answered, $made + 0.1, word: 'Done'),
        ];
        $refused = static fn(float $began, string $outcome, float $answered = 9.0): array => [
            self::line(EventKind::Begun, $began, word: Ending::Expire->value, ttl: 0.5, since: $began),
            self::line(EventKind::Going, $answered - 0.1),
            self::line(EventKind::Answered, $answered, word: $outcome),
        ];
        yield 'its ttl was over' => [$stored(Ending::Expire, 5.0), Cause::Expiry];
        yield 'its ttl was not over' => [$stored(Ending::Expire, 5.1), null];
        yield 'the store drops it a little early' => [$stored(Ending::ExpireCold, 5.1), Cause::Expiry];
        yield 'the store drops it much too early' => [$stored(Ending::ExpireCold, 5.3), null];
        yield 'it was to stay' => [$stored(Ending::Evict, 0.0), null];
        yield 'it was evicted' => [
            [...$stored(Ending::Evict, 0.0), self::line(EventKind::Evicted, 9.0, since: 8.9)],
            Cause::Eviction,
        ];
        yield 'it was deleted' => [
            [...$stored(Ending::Delete, 0.0), self::line(EventKind::Deleted, 9.0, since: 8.9)],
            Cause::Delete,
        ];
        yield 'the delete began before and ended after the next compute' => [
            [...$stored(Ending::Delete, 0.0), self::line(EventKind::Deleted, 10.1, since: 9.9)],
            Cause::Delete,
        ];
        yield 'it was deleted only later' => [
            [...$stored(Ending::Delete, 0.0), self::line(EventKind::Deleted, 10.2, since: 10.1)],
            null,
        ];
        yield 'the delete was before it' => [
            [self::line(EventKind::Deleted, 4.0, since: 3.9), ...$stored(Ending::Delete, 0.0)],
            null,
        ];
        yield 'it was killed' => [
            [self::line(EventKind::Begun, 9.5, word: Ending::Kill->value), self::line(EventKind::Killed, 9.6)],
            Cause::Kill,
        ];
        yield 'it was killed too late' => [
            [self::line(EventKind::Begun, 9.5, word: Ending::Kill->value), self::line(EventKind::Killed, 10.1)],
            null,
        ];
        yield 'it was killed after it was stored' => [
            [...$stored(Ending::Kill, 0.0), self::line(EventKind::Killed, 9.6)],
            null,
        ];
        yield 'it was killed, and found in the store' => [
            [
                self::line(EventKind::Begun, 9.5, word: Ending::Kill->value),
                self::line(EventKind::Going, 9.6),
                self::line(EventKind::Killed, 9.7),
                self::line(EventKind::Found, 9.8),
            ],
            null,
        ];
        yield 'it outlived its lease' => [$refused(10.0 - LeaseWorker::LEASE, 'Exists'), Cause::Slow];
        yield 'it lost its lease too early' => [$refused(10.1 - LeaseWorker::LEASE, 'Exists'), null];
        yield 'the store was full' => [$refused(8.5, 'Refused'), Cause::Refusal];
        yield 'the store was full only later' => [$refused(8.5, 'Refused', 10.1), null];
        yield 'its server was restarted' => [
            [...$stored(Ending::Evict, 0.0), self::line(EventKind::Restarted, 9.0, since: 8.9)],
            Cause::Restart,
        ];
        yield 'its server was restarted before' => [
            [self::line(EventKind::Restarted, 4.7, since: 4.6), ...$stored(Ending::Evict, 0.0)],
            null,
        ];
        yield 'another store was restarted' => [
            [...$stored(Ending::Evict, 0.0), self::line(EventKind::Restarted, 9.0, key: 1, since: 8.9)],
            null,
        ];
        yield 'it is still being made' => [
            [self::line(EventKind::Begun, 9.5, word: Ending::Expire->value, ttl: 0.2, since: 9.4)],
            null,
        ];
    }

    /** @param list<LogEntry> $log */
    #[DataProvider('logs')]
    public function testASecondComputeNeedsACause(array $log, ?Cause $cause): void
    {
        $tally = (new LeaseJudge([
            ...$log,
            self::line(EventKind::Begun, 10.0, generation: 2, word: Ending::Keep->value, since: 10.0),
        ]))->of(
            0,
            1,
            0.2,
        );

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
        $tally = (new LeaseJudge([
            self::line(EventKind::Begun, 4.9, word: Ending::ExpireCold->value, ttl: $ttl, since: 4.8),
            self::line(EventKind::Going, 5.0),
            self::line(EventKind::Answered, 5.1, word: 'Done'),
            self::line(EventKind::Begun, 9.95, generation: 2, word: Ending::Evict->value, since: 9.9),
            self::line(EventKind::Answered, 10.2, generation: 2, word: 'Exists'),
            self::line(EventKind::Begun, 10.0, generation: 3, word: Ending::Keep->value),
        ]))->of(0, 1, $earliness);

        self::assertSame([3, $expected], [$tally->computes, $tally->expected()]);
    }

    /** @return iterable<string, array{list<LogEntry>, bool}> */
    public static function outages(): iterable
    {
        $begun = self::line(EventKind::Begun, 9.5, generation: 2, word: Ending::Keep->value);
        yield 'nobody makes it' => [[], true];
        yield 'another process makes it' => [[$begun], false];
        yield 'another process has made it' => [[$begun, self::line(EventKind::Going, 9.9, generation: 2)], true];
        yield 'another process is still making it' => [
            [$begun, self::line(EventKind::Going, 10.1, generation: 2)],
            false,
        ];
        yield 'the other process was killed' => [[$begun, self::line(EventKind::Killed, 9.9)], true];
    }

    /** @param list<LogEntry> $log */
    #[DataProvider('outages')]
    public function testWithoutTheServerOneIsMadeAtATime(array $log, bool $isRight): void
    {
        $tally = (new LeaseJudge([
            self::line(EventKind::Begun, 4.9, word: Ending::Evict->value, since: 4.8),
            self::line(EventKind::Answered, 5.1, word: 'Done'),
            self::line(EventKind::Restarted, 9.4, since: 9.2),
            ...$log,
            self::line(EventKind::Begun, 10.0, generation: 3, word: Ending::Keep->value),
            self::line(EventKind::Silent, 10.0, generation: 3),
            self::line(EventKind::Begun, 11.0, generation: 4, word: Ending::Keep->value, since: 10.9),
        ]))->of(0, 1);

        self::assertSame([1, 1], [$tally->of(Cause::Cold), $tally->of(Cause::Restart)]);
        self::assertSame($isRight ? $tally->computes : $tally->computes - 1, $tally->expected());
        self::assertCount($isRight ? 0 : 1, $tally->wrong);
    }

    public function testAStoreMustAnswerUnlessItsServerWasRestarted(): void
    {
        $judge = new LeaseJudge([
            self::line(EventKind::Restarted, 1.0, since: 0.9),
            self::line(EventKind::Silent, 4.9),
            self::line(EventKind::Silent, 5.1, word: 'no answer, closed 3 ms ago'),
        ]);

        self::assertSame(
            ['silent: key 0, generation 1: no answer, closed 3 ms ago, and its server was back 4100 ms'],
            $judge->of(0, 1)->wrong,
        );
    }

    public function testADeleteAccountsForOneComputeOnly(): void
    {
        $lines = [
            self::line(EventKind::Begun, 1.0, word: Ending::Delete->value),
            self::line(EventKind::Answered, 1.1, word: 'Done'),
            self::line(EventKind::Deleted, 2.1, since: 1.9),
        ];
        $lines[] = self::line(EventKind::Begun, 2.0, generation: 2, word: Ending::Delete->value);
        $lines[] = self::line(EventKind::Answered, 2.1, generation: 2, word: 'Done');
        $lines[] = self::line(EventKind::Begun, 3.0, generation: 3, word: Ending::Delete->value);
        $tally = (new LeaseJudge($lines))->of(0, 1);

        self::assertSame([3, 2], [$tally->computes, $tally->expected()]);
        self::assertSame(
            ['key 0: generation 3 was computed without a lease, '
                . 'though delete generation 2, which began 1000 ms before, was stored'],
            $tally->wrong,
        );
    }

    public function testADeleteIsLeftForAComputeWithoutAnotherCause(): void
    {
        $tally = (new LeaseJudge([
            self::line(EventKind::Begun, 1.0, word: Ending::Expire->value, ttl: 0.5),
            self::line(EventKind::Going, 1.1),
            self::line(EventKind::Answered, 1.1, word: 'Done'),
            self::line(EventKind::Begun, 2.0, generation: 2, word: Ending::Delete->value),
            self::line(EventKind::Answered, 2.1, generation: 2, word: 'Done'),
            self::line(EventKind::Deleted, 2.2, since: 1.9),
            self::line(EventKind::Begun, 2.3, generation: 3, word: Ending::Keep->value),
        ]))->of(0, 1);

        self::assertSame([], $tally->wrong);
        self::assertSame([1, 1], [$tally->of(Cause::Expiry), $tally->of(Cause::Delete)]);
    }

    public function testWhatReadersFoundCountsForTheirStore(): void
    {
        $lines = [
            self::line(EventKind::Lost, 1.0, word: 'after 3'),
            self::line(EventKind::Resurrected, 1.0, key: 1),
            self::line(EventKind::Wrong, 1.0, key: 1, word: 'a reader waited in vain'),
        ];
        $judge = new LeaseJudge($lines);
        $tallies = ['memory' => $judge->of(0, 1), 'redis' => $judge->of(1, 1)];
        $result = LeaseTorture::result($tallies, [], LeaseTorture::board(1, 2), 2.0, 2.0);

        self::assertSame('computes: 0 of 0 expected, lost: 1, resurrected: 1', $result->line);
        self::assertFalse($result->clean);
        self::assertSame(
            [
                'memory: lost: key 0, generation 1: after 3',
                'redis: resurrected: key 1, generation 1:',
                'redis: wrong: key 1, generation 1: a reader waited in vain',
            ],
            $result->figures['findings'],
        );
    }

    public function testARunShowsSomethingIfEveryStoreMetEverything(): void
    {
        $all = ['expiries' => 100, 'evictions' => 1, 'deletes' => 1, 'kills' => 1, 'outlived_leases' => 1];

        self::assertTrue(self::found($all)->rich);
        self::assertTrue(self::found($all)->clean);
        self::assertFalse(self::found($all, LeaseWorker::WAIT + 0.1)->clean);
        self::assertFalse(self::found(['expiries' => 99] + $all)->rich);
        self::assertFalse(self::found(['kills' => 0] + $all)->rich);
        self::assertSame(
            'Too little happened to show anything: memory: 99 of 100 expiries; memory: no kills.',
            self::found(['expiries' => 99, 'kills' => 0] + $all)->poor,
        );
        self::assertFalse(self::found(['refusals' => 2] + $all)->rich);
        $all += ['restarts' => 1, 'computes_without_server' => 1];
        self::assertTrue(self::found($all, store: 'redis')->rich);
        self::assertFalse(self::found($all, store: 'redis', waiting: 3)->rich);
        self::assertFalse(self::found(['restarts' => 0] + $all, store: 'redis')->rich);
        self::assertFalse(self::found(['computes_without_server' => 0] + $all, store: 'redis')->rich);
    }

    public function testALineIsReadAsItWasWritten(): void
    {
        $line = self::line(EventKind::Begun, 4.5, word: 'ä"' . "\n", ttl: 0.1, since: 1.0);

        self::assertEquals($line, LogEntry::parse(rtrim($line->text(), "\n")));
        self::assertSame(1, substr_count($line->text(), "\n"));
        foreach ([
            '',
            '[',
            '[]',
            '["begun",1]',
            '["none",1,1.0,0,0,0,"",0.0,0]',
            '{"begun":1}',
            substr($line->text(), 0, 20),
        ] as $other) {
            self::assertNull(LogEntry::parse($other));
        }
    }

    /** @param array<string, int> $causes */
    private static function found(
        array $causes,
        float $wait = 1.0,
        string $store = 'memory',
        int $waiting = 4,
    ): Result {
        $board = LeaseTorture::board(1, 20);
        $board->set('longestWait', (int) ($wait * 1e9));
        $board->set('mostWaiting', $waiting);

        return LeaseTorture::result([$store => new StoreTally(104, $causes, [], 0, 0)], [], $board, 30.0, 30.0);
    }

    private static function line(
        EventKind $kind,
        float $at,
        int $key = 0,
        int $generation = 1,
        string $word = '',
        float $ttl = 0.0,
        float $since = 0.0,
    ): LogEntry {
        return new LogEntry($kind, (int) ($at * 1e9), $at, $key, $generation, 7, $word, $ttl, (int) ($since * 1e9));
    }
}
