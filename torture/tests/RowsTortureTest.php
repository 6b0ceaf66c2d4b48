<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Testbed\Process\Extension;
use Larder\Torture\Rows\RowState;
use Larder\Torture\Rows\RowsTorture;
use Larder\Torture\TortureCommand;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** `script/torture rows` in small. */
#[CoversClass(RowsTorture::class)]
#[CoversClass(RowState::class)]
final class RowsTortureTest extends TestCase
{
    public function testNothingIsStaleAndAGuardThatIsTakenAwayIsMissed(): void
    {
        $whole = Runs::until(['hits', 'changes'], static fn(): array => self::torture('--stores=memory'));
        self::assertSame([0, []], [$whole['stale'] ?? null, $whole['findings'] ?? null]);
        self::assertGreaterThan(0, $whole['hits'] ?? null);
        self::assertGreaterThan(0, $whole['changes'] ?? null);
        $broken = static fn(): array => self::torture('--stores=memory', '--broken=fill');
        self::assertGreaterThan(0, Runs::until(['stale'], $broken)['stale'] ?? null);
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

    public function testARunThatWasTooPoorShowsNothing(): void
    {
        $counts = [
            'Reads' => 1000, 'Hits' => 600, 'Lists' => 9, 'Missing' => 9, 'Changes' => 50, 'Bulk' => 1,
            'RolledBack' => 0, 'Kills' => 1, 'Stale' => 0,
        ];
        self::assertTrue(RowsTorture::result([$counts], 0, [])->rich);
        self::assertTrue(RowsTorture::result([$counts], 0, [])->clean);
        $few = ['Hits' => 400, 'Changes' => 19, 'Kills' => 0, 'Bulk' => 0, 'Missing' => 0, 'Lists' => 0];
        foreach ($few as $what => $n) {
            self::assertFalse(RowsTorture::result([[$what => $n] + $counts], 0, [])->rich, $what);
        }
        self::assertFalse(RowsTorture::result([['Stale' => 1] + $counts], 0, [])->clean);
        self::assertFalse(RowsTorture::result([$counts], 0, ['a process failed'])->clean);
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        $process = self::process('--database=sqlite');
        self::assertSame(2, $process->run());
        self::assertStringContainsString('Usage: torture rows', $process->getErrorOutput());
    }

    /** @return array<array-key, mixed> */
    private static function torture(string ...$options): array
    {
        $process = self::process('--seconds=5', '--format=json', ...array_values($options));
        $process->run();
        $result = json_decode($process->getOutput(), true);

        return \is_array($result) ? $result : self::fail($process->getErrorOutput());
    }

    private static function process(string ...$arguments): Process
    {
        try {
            Extension::at(null);
        } catch (RuntimeException $exception) {
            self::markTestSkipped($exception->getMessage());
        }

        return new Process([PHP_BINARY, TortureCommand::script(), 'rows', ...array_values($arguments)], timeout: 120.0);
    }
}
