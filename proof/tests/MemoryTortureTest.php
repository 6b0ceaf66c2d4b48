<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Memory\GroupCount;
use Larder\Proof\Memory\MemoryTorture;
use Larder\Proof\Memory\SoakCount;
use Larder\Proof\Memory\SoakTorture;
use Larder\Proof\Memory\WorkerCount;
use Larder\Proof\Result;
use Larder\Testbed\Process\Board;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(MemoryTorture::class)]
#[CoversClass(SoakTorture::class)]
final class MemoryTortureTest extends TestCase
{
    private const INFO = ['recoveries' => 5, 'evictions' => 9];

    /** @return iterable<string, array{Result, bool}> */
    public static function results(): iterable
    {
        yield 'clean' => [self::resultWith(), true];
        yield 'a little slower than an idle process' => [self::resultWith(gap: 112.0), true];
        yield 'a long stop of all workers' => [self::resultWith(gap: 112.2), false];
        yield 'a long stop beside other programs' => [self::resultWith(gap: 112.2, isAlone: false), true];
        yield 'a wedge' => [self::resultWith(wedges: 1), false];
        yield 'a wrong value' => [self::resultWith(findings: ['key 3: a damaged string']), false];
        yield 'what dead processes left is lost' => [self::resultWith(left: 70_000), false];
        yield 'a store that cannot be asked any more' => [self::resultWith(info: []), false];
    }

    #[DataProvider('results')]
    public function testWhatIsClean(Result $result, bool $clean): void
    {
        self::assertSame($clean, $result->clean);
    }

    public function testLastLine(): void
    {
        self::assertSame('wrong: 0, wedged: 0 of 50000 reads, 410 kills', self::resultWith()->line);
        $wrong = self::resultWith(wedges: 2, findings: ['x']);
        self::assertSame('wrong: 1, wedged: 2 of 50000 reads, 410 kills', $wrong->line);
    }

    public function testARunWithoutARecoveryOrAnEvictionShowsNothing(): void
    {
        self::assertTrue(self::resultWith()->rich);
        self::assertFalse(self::resultWith(seconds: 60)->rich, 'too few kills');
        self::assertFalse(self::resultWith(info: ['recoveries' => 0] + self::INFO)->rich);
        self::assertFalse(self::resultWith(info: ['evictions' => 0] + self::INFO)->rich);
    }

    public function testSoak(): void
    {
        $clean = self::soakWith(growth: 2048);
        self::assertTrue($clean->clean);
        self::assertTrue($clean->rich);
        self::assertFalse(self::soakWith(seconds: 60)->rich);
        self::assertSame('failures: 0 of 1000 requests, growth: 2048 KB a worker', $clean->line);
        self::assertFalse(self::soakWith(growth: 2049)->clean);
        self::assertFalse(self::soakWith(findings: ['no whole reply'])->clean);
        self::assertFalse(self::soakWith(evictions: 0)->rich);
    }

    public function testEveryFaultPointOfAWorkerIsTried(): void
    {
        $points = [];
        $sources = glob(\dirname(__DIR__, 2) . '/ext/{core/*,value,php}/*.c', GLOB_BRACE);
        self::assertNotFalse($sources);
        foreach ($sources as $file) {
            preg_match_all('/LRD_FAULT\("(\w+)"\)/', (string) file_get_contents($file), $matches);
            $points = [...$points, ...$matches[1]];
        }
        $points = array_values(
            array_filter(array_unique($points), static fn(string $point): bool => !str_starts_with($point, 'segment_')),
        );
        sort($points);

        self::assertSame(MemoryTorture::FAULTS, $points);
    }

    /** @param list<string> $findings */
    private static function soakWith(
        int $growth = 0,
        array $findings = [],
        int $evictions = 1,
        float $seconds = 20,
    ): Result {
        $board = Board::create([SoakCount::class => 1]);
        $board->set(SoakCount::Requests, 1000);
        $late = [7 => 9000 + $growth, 8 => 9000];

        return SoakTorture::result(
            $board,
            [7 => 9000, 8 => 9000],
            $late,
            ['evictions' => $evictions],
            $findings,
            $seconds,
        );
    }

    /**
     * @param array<string, int> $info
     * @param list<string>       $findings
     */
    private static function resultWith(
        float $gap = 30.0,
        int $wedges = 0,
        int $left = 0,
        array $info = self::INFO,
        array $findings = [],
        float $seconds = 20,
        bool $isAlone = true,
    ): Result {
        $board = Board::create(MemoryTorture::series(4));
        $board->set('idle', 12_100_000);
        $board->setRange(WorkerCount::Reads, 0, [20_000, 30_000]);
        $board->set(WorkerCount::Gap, (int) ($gap * 1e6), 3);
        $board->setRange(GroupCount::KillsFromOutside, 0, [150, 250]);
        $board->set(GroupCount::KillsAtFaultPoints, 10);
        $board->set(GroupCount::BytesLeftAfterClear, $left, 1);

        return MemoryTorture::result($board, $wedges, $info, $findings, $seconds, $isAlone);
    }
}
