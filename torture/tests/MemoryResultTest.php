<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Memory\MemoryCommand;
use Larder\Torture\Memory\MemoryResult;
use Larder\Torture\Memory\SoakResult;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(MemoryResult::class)]
#[CoversClass(SoakResult::class)]
final class MemoryResultTest extends TestCase
{
    private const INFO = ['recoveries' => 5, 'evictions' => 9];

    /** @return iterable<string, array{MemoryResult, bool}> */
    public static function results(): iterable
    {
        yield 'clean' => [self::resultWith(), true];
        yield 'a little slower than an idle process' => [self::resultWith(gap: 112.0), true];
        yield 'a long stop of all workers' => [self::resultWith(gap: 112.2), false];
        yield 'a wedge' => [self::resultWith(wedges: 1), false];
        yield 'a wrong value' => [self::resultWith(findings: ['key 3: a damaged string']), false];
        yield 'what dead processes left is lost' => [self::resultWith(left: 70_000), false];
        yield 'a store that cannot be asked any more' => [self::resultWith(info: []), false];
    }

    #[DataProvider('results')]
    public function testWhatIsClean(MemoryResult $result, bool $clean): void
    {
        self::assertSame($clean, $result->isClean());
    }

    public function testLastLine(): void
    {
        self::assertSame('wrong: 0, wedged: 0 of 50000 reads, 410 kills', self::resultWith()->line());
        self::assertSame('wrong: 1, wedged: 2 of 50000 reads, 410 kills', self::resultWith(wedges: 2, findings: ['x'])->line());
    }

    public function testARunWithoutARecoveryOrAnEvictionShowsNothing(): void
    {
        self::assertTrue(self::resultWith()->shows(20));
        self::assertFalse(self::resultWith()->shows(60), 'too few kills');
        self::assertFalse(self::resultWith(info: ['recoveries' => 0] + self::INFO)->shows(20));
        self::assertFalse(self::resultWith(info: ['evictions' => 0] + self::INFO)->shows(20));
    }

    public function testSoak(): void
    {
        $clean = new SoakResult(1000, 9000, 8000, 3000, 5, 2048, [9000], ['evictions' => 1], []);

        self::assertTrue($clean->isClean());
        self::assertTrue($clean->shows(20));
        self::assertFalse($clean->shows(60));
        self::assertSame('failures: 0 of 1000 requests, growth: 2048 KB a worker', $clean->line());
        self::assertFalse((new SoakResult(1000, 9000, 8000, 3000, 5, 2049, [9000], ['evictions' => 1], []))->isClean());
        self::assertFalse((new SoakResult(1000, 9000, 8000, 3000, 5, 0, [9000], ['evictions' => 1], ['no whole answer']))->isClean());
        self::assertFalse((new SoakResult(1000, 9000, 8000, 3000, 5, 0, [9000], ['evictions' => 0], []))->shows(20));
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
        $points = array_values(array_filter(array_unique($points), static fn(string $point): bool => !str_starts_with($point, 'segment_')));
        sort($points);

        self::assertSame(MemoryCommand::FAULTS, $points);
    }

    /**
     * @param array<string, int> $info
     * @param list<string>       $findings
     */
    private static function resultWith(float $gap = 30.0, int $wedges = 0, int $left = 0, array $info = self::INFO, array $findings = []): MemoryResult
    {
        return new MemoryResult(
            reads: 50_000,
            hits: 30_000,
            rechecks: 100,
            writes: 900_000,
            refused: 3,
            forks: 2,
            operations: 20_000,
            kills: 400,
            faults: 10,
            ends: 7,
            wedges: $wedges,
            gap: $gap,
            idleGap: 12.1,
            slowest: 40.0,
            left: $left,
            info: $info,
            findings: $findings,
        );
    }
}
