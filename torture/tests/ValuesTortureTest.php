<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Testbed\Process\Extension;
use Larder\Torture\Values\BrokenStore;
use Larder\Torture\Values\Count;
use Larder\Torture\Values\GrowthCommand;
use Larder\Torture\Values\LateVersions;
use Larder\Torture\Values\MortalStore;
use Larder\Torture\Values\Score;
use Larder\Torture\Values\Setting;
use Larder\Torture\Values\ValuesCommand;
use Larder\Torture\Values\ValuesResult;
use Larder\Torture\Values\ValuesTorture;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\Process;

/** `script/torture values` and `script/torture growth` in small. */
#[CoversClass(ValuesTorture::class)]
#[CoversClass(ValuesCommand::class)]
#[CoversClass(ValuesResult::class)]
#[CoversClass(GrowthCommand::class)]
#[CoversClass(Score::class)]
#[CoversClass(Setting::class)]
#[CoversClass(MortalStore::class)]
#[CoversClass(BrokenStore::class)]
#[CoversClass(LateVersions::class)]
final class ValuesTortureTest extends TestCase
{
    public function testNothingIsStale(): void
    {
        $result = self::torture('--settings=memory-gated:memory-strict');

        self::assertSame([0, []], [$result['stale'] ?? null, $result['findings'] ?? null]);
        self::assertGreaterThan(0, $result['hits'] ?? null);
        self::assertGreaterThan(0, $result['changes'] ?? null);
    }

    public function testAGuardThatIsTakenAwayIsMissed(): void
    {
        self::assertGreaterThan(0, self::torture('--settings=memory-gated', '--broken=order')['stale'] ?? null);
    }

    public function testChangesLeaveNothing(): void
    {
        $process = self::process('growth', '--changes=3000', '--stores=memory');

        self::assertSame(0, $process->run(), $process->getErrorOutput());
        self::assertStringContainsString('after 3000 changes', $process->getOutput());
    }

    public function testWhatCannotBeDoneIsSaid(): void
    {
        foreach (['values' => '--settings=none', 'growth' => '--changes=1'] as $name => $option) {
            $process = self::process($name, $option);
            self::assertSame(2, $process->run());
            self::assertStringContainsString('Usage: torture ' . $name, $process->getErrorOutput());
        }
    }

    #[RequiresPhpExtension('shmop')]
    public function testWhatWasCommittedIsTheNewestOfAllWriters(): void
    {
        $score = Score::make(3, 4);
        foreach ([[0, 0, 7], [1, 0, 9], [0, 0, 8], [3, 2, 1], [1, 0, 2]] as [$seat, $row, $version]) {
            $score->commit($seat, $row, $version);
        }
        $score->add(2, Count::Reads, 5);
        $score->longest(3, 70);
        $score->longest(0, 60);

        self::assertSame([9, 0, 1], array_map($score->committed(...), [0, 1, 2]));
        self::assertGreaterThan(0, $score->committedAt(0, 9));
        self::assertSame(0, $score->committedAt(0, 5));
        self::assertSame(0, $score->committedAt(1, 9));
        self::assertSame([5, 70], [$score->counts()[Count::Reads->value], $score->counts()[Count::Longest->value]]);
    }

    public function testARunThatWasTooPoorShowsNothing(): void
    {
        $counts = [Count::Reads->value => 1000, Count::Hits->value => 500, Count::Changes->value => 50, Count::Kills->value => 1, Count::Stale->value => 0, Count::Failed->value => 0, Count::Losses->value => 0, Count::Longest->value => 0];
        $rich = new ValuesResult(['all' => $counts], 0, []);
        self::assertTrue($rich->shows(2.0));
        self::assertFalse($rich->shows(20.0));
        foreach ([Count::Hits->value => 40, Count::Changes->value => 4, Count::Kills->value => 0] as $what => $few) {
            self::assertFalse((new ValuesResult(['all' => [$what => $few] + $counts], 0, []))->shows(2.0));
        }
        self::assertTrue($rich->isClean());
        self::assertFalse((new ValuesResult(['all' => [Count::Stale->value => 1] + $counts], 0, []))->isClean());
        self::assertFalse((new ValuesResult(['all' => $counts], 0, ['a process failed']))->isClean());
    }

    /** @return array<array-key, mixed> */
    private static function torture(string ...$options): array
    {
        $process = self::process('values', '--seconds=4', '--format=json', ...array_values($options));
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

        return new Process([PHP_BINARY, \Larder\Torture\TortureCommand::script(), ...array_values($arguments)], timeout: 120.0);
    }
}
