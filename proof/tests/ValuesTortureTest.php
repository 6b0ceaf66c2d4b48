<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\UnguardedStore;
use Larder\Proof\Values\CommitLog;
use Larder\Proof\Values\DyingStore;
use Larder\Proof\Values\GrowthTorture;
use Larder\Proof\Values\LateVersions;
use Larder\Proof\Values\StoreMode;
use Larder\Proof\Values\ValuesTorture;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** `script/torture values` without a guard, `script/torture growth` in small, and their parts. */
#[CoversClass(ValuesTorture::class)]
#[CoversClass(GrowthTorture::class)]
#[CoversClass(CommitLog::class)]
#[CoversClass(StoreMode::class)]
#[CoversClass(DyingStore::class)]
#[CoversClass(UnguardedStore::class)]
#[CoversClass(LateVersions::class)]
final class ValuesTortureTest extends TestCase
{
    #[TestWith(['order', 'memory-gated'])]
    #[TestWith(['snapshot', 'memory-gated'])]
    #[TestWith(['close', 'memory-gated'])]
    #[TestWith(['check', 'memory-gated'])]
    #[TestWith(['identity', 'saved-on-phpredis'])]
    #[TestWith(['identity', 'saved-on-predis'])]
    #[TestWith(['identity', 'saved-with-phpredis'])]
    #[TestWith(['identity', 'saved-with-predis'])]
    public function testAGuardThatIsTakenAwayIsMissed(string $guard, string $setting): void
    {
        $found = Runs::found('values', '--seconds=60', "--settings=$setting", "--broken=$guard");

        self::assertGreaterThan(0, $found['stale'] ?? null);
    }

    public function testChangesLeaveNothing(): void
    {
        $process = Runs::process('growth', '--changes=3000', '--stores=memory');

        self::assertSame(0, $process->run(), $process->getErrorOutput());
        self::assertStringContainsString('after 3000 changes', $process->getOutput());
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        foreach (['values' => '--settings=none', 'growth' => '--changes=1'] as $name => $option) {
            $process = Runs::process($name, $option);
            self::assertSame(2, $process->run());
            self::assertStringContainsString('Usage: torture ' . $name, $process->getErrorOutput());
        }
    }

    public function testWhatWasCommittedIsTheNewestOfAllWriters(): void
    {
        $commits = CommitLog::create(3, 4);
        foreach ([[0, 0, 7], [1, 0, 9], [0, 0, 8], [3, 2, 1], [1, 0, 2]] as [$worker, $row, $version]) {
            $commits->commit($worker, $row, $version);
        }
        self::assertSame([9, 0, 1], array_map($commits->committed(...), [0, 1, 2]));
        self::assertGreaterThan(0, $commits->committedAt(0, 9));
        self::assertSame(0, $commits->committedAt(0, 5));
        self::assertSame(0, $commits->committedAt(1, 9));
    }

    public function testARunThatWasTooPoorShowsNothing(): void
    {
        $counts = ['reads' => 1000, 'hits' => 500, 'changes' => 50, 'kills' => 1];
        $once = ['told_late_hits', 'old_transactions', 'old_cursors', 'slow_computes', 'values_set'];
        $once = array_fill_keys($once, 1);
        $counts += $once + ['reads_beside_closed_gates' => 10, 'waits_beside_closed_gates' => 2];
        $counts += ['stale' => 0, 'rolled_back' => 0, 'losses' => 0, 'longest_lag' => 0];
        self::assertTrue(ValuesTorture::result([$counts], 1, [])->rich);
        self::assertTrue(ValuesTorture::result([$counts], null, [])->rich);
        self::assertFalse(ValuesTorture::result([$counts], 0, [])->rich, 'no server was restarted');
        self::assertTrue(ValuesTorture::result([['saved_hits' => 1_000] + $counts], 1, [])->rich);
        $few = ['saved_hits' => 999, 'hits' => 499, 'changes' => 4, 'kills' => 0, 'reads_beside_closed_gates' => 0];
        self::assertFalse(ValuesTorture::result([['hits' => 19] + $counts, $counts], 1, [])->rich, 'a poor trial');
        $few += array_map(static fn(): int => 0, $once);
        foreach ($few as $what => $number) {
            self::assertFalse(ValuesTorture::result([[$what => $number] + $counts], 1, [])->rich, $what);
        }
        self::assertTrue(ValuesTorture::result([$counts], 0, [])->clean);
        self::assertFalse(ValuesTorture::result([['stale' => 1] + $counts], 0, [])->clean);
        self::assertFalse(ValuesTorture::result([['waits_beside_closed_gates' => 3] + $counts], 0, [])->clean);
        self::assertFalse(ValuesTorture::result([$counts], 0, ['a process failed'])->clean);
        $lags = [['longest_lag' => 70_000_000] + $counts, ['longest_lag' => 60_000_000] + $counts];
        $both = ValuesTorture::result($lags, 0, []);
        self::assertSame('stale: 0 of 2000 reads, 100 changes', $both->line);
        self::assertSame(70.0, $both->figures['longest_lag_ms']);
    }
}
