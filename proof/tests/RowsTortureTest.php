<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Rows\LeastVersions;
use Larder\Proof\Rows\RowState;
use Larder\Proof\Rows\RowsTorture;
use Larder\Proof\Rows\RowTrial;
use Larder\Proof\Values\CommitLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** `script/torture rows` without a guard, and its parts. */
#[CoversClass(RowsTorture::class)]
#[CoversClass(RowState::class)]
#[CoversClass(LeastVersions::class)]
final class RowsTortureTest extends TestCase
{
    #[TestWith(['fill'])]
    #[TestWith(['late'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard): void
    {
        $found = Runs::found('rows', '--seconds=60', '--stores=memory', "--broken=$guard");

        self::assertGreaterThan(0, $found['stale'] ?? null);
    }

    public function testARowIsOutOfAListIfOneOfItsVersionsIs(): void
    {
        self::assertTrue(RowState::isThere(7));
        self::assertFalse(RowState::isThere(8));
        self::assertFalse(RowState::mayBeOut(0, 2, 0));
        self::assertTrue(RowState::mayBeOut(2, 3, 0));
        self::assertFalse(RowState::mayBeOut(0, 7, null));
        self::assertTrue(RowState::mayBeOut(7, 8, null));
    }

    public function testAListHasToKnowWhatOthersDidOnlyAfterSomeTimeAndWhatLarderDidAtOnce(): void
    {
        $now = (int) hrtime(true);
        $commits = CommitLog::create(2, 1, 64);
        $others = CommitLog::create(2, 1, 64);
        $least = new LeastVersions($commits, $others, static function () use (&$now): int {
            return $now;
        });
        // Larder leaves the row in the group that another one has put it into.
        self::assertNotSame(RowState::group(2), RowState::group(3));
        $others->commit(0, 1, 3);
        $commits->commit(0, 1, 4);
        self::assertSame(4, $least->of(1));
        self::assertSame(0, $least->ofList(1, RowState::group(4)));
        // Larder moves it itself: from one group, into another, and not for the third.
        $commits->commit(0, 1, 6);
        self::assertSame(6, $least->ofList(1, RowState::group(5)));
        self::assertSame(6, $least->ofList(1, RowState::group(6)));
        self::assertSame(0, $least->ofList(1, RowState::group(0)));
        $commits->commit(0, 1, 7);
        self::assertSame(6, $least->ofList(1, RowState::group(6)));
        // It goes out of the whole table, and comes back.
        $others->commit(0, 1, 8);
        self::assertSame(6, $least->ofList(1, null));
        $commits->commit(0, 1, 9);
        self::assertSame(9, $least->ofList(1, null));
        // What another one did is old enough.
        $now += (int) (1e9 * RowTrial::BOUND) + 10 ** 12;
        self::assertSame(8, $least->ofList(1, 1));
    }

    public function testAListHasToKnowAllWhereOnlyLarderWrites(): void
    {
        $commits = CommitLog::create(2, 1);
        $least = new LeastVersions($commits, null);
        $commits->commit(0, 1, 4);
        self::assertSame([4, 4], [$least->of(1), $least->ofList(1, RowState::group(4))]);
    }

    public function testARunThatWasTooPoorShowsNothing(): void
    {
        $counts = [
            'reads' => 1000, 'hits' => 600, 'lists' => 9, 'missing_rows' => 9, 'changes' => 50, 'bulk_changes' => 1,
            'rolled_back' => 0, 'kills' => 1, 'stale' => 0,
        ];
        self::assertTrue(RowsTorture::result([$counts], 0, [])->rich);
        self::assertTrue(RowsTorture::result([$counts], 0, [])->clean);
        $few = ['hits' => 400, 'changes' => 19, 'kills' => 0, 'bulk_changes' => 0, 'missing_rows' => 0, 'lists' => 0];
        foreach ($few as $what => $n) {
            self::assertFalse(RowsTorture::result([[$what => $n] + $counts], 0, [])->rich, $what);
        }
        self::assertFalse(RowsTorture::result([['stale' => 1] + $counts], 0, [])->clean);
        self::assertFalse(RowsTorture::result([$counts], 0, ['a process failed'])->clean);
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        $process = Runs::process('rows', '--database=sqlite');
        self::assertSame(2, $process->run());
        self::assertStringContainsString('Usage: torture rows', $process->getErrorOutput());
    }
}
