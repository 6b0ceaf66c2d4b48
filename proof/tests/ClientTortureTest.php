<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Client\ClientCount;
use Larder\Proof\Client\ClientTorture;
use Larder\Proof\Client\Fault;
use Larder\Proof\Result;
use Larder\Testbed\Process\Board;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ClientTorture::class)]
final class ClientTortureTest extends TestCase
{
    /** @return iterable<string, array{Result, bool}> */
    public static function results(): iterable
    {
        yield 'clean' => [self::resultWith(), true];
        yield 'a wrong value' => [self::resultWith(findings: ['get, key 3: damaged']), false];
        yield 'a call after its deadline' => [self::resultWith(late: ['80000000 get']), false];
        yield 'a process that grew a little' => [self::resultWith(kilobytes: 12_000), true];
        yield 'one that grew' => [self::resultWith(kilobytes: 14_000), false];
        yield 'descriptors that are left' => [self::resultWith(descriptors: 17), false];
    }

    #[DataProvider('results')]
    public function testWhatIsClean(Result $result, bool $clean): void
    {
        self::assertSame($clean, $result->clean);
    }

    public function testLastLine(): void
    {
        $result = self::resultWith(late: ['1 a', '2 b'], findings: ['x']);
        self::assertSame('wrong: 1, hung: 2 of 50000 requests, 36 faults', $result->line);
    }

    public function testARunWithoutOneOfTheFaultsShowsNothing(): void
    {
        self::assertTrue(self::resultWith()->rich);
        self::assertFalse(self::resultWith(seconds: 3000)->rich, 'too few requests');
        self::assertFalse(self::resultWith(faults: 0)->rich);
        self::assertFalse(self::resultWith(aborts: 0)->rich);
    }

    public function testFigures(): void
    {
        self::assertSame(2, self::resultWith()->figures['fault_half_close']);
        self::assertSame(14, self::resultWith()->figures['worker_descriptors_late']);
    }

    /**
     * @param list<string> $late
     * @param list<string> $findings
     */
    private static function resultWith(
        array $late = [],
        array $findings = [],
        int $kilobytes = 10_000,
        int $descriptors = 14,
        int $faults = 2,
        int $aborts = 9,
        float $seconds = 30.0,
    ): Result {
        $board = Board::create(ClientTorture::series(2));
        foreach (Fault::cases() as $fault) {
            $board->set($fault, $faults);
        }
        $board->set(ClientCount::Requests, 50_000);
        $board->set(ClientCount::Hits, 90_000);
        $board->set(ClientCount::Unknown, 300);
        $board->set(ClientCount::Kills, 60);
        $board->set(ClientCount::PagesAborted, $aborts, 1);
        $process = ['early' => [10_000, 14], 'late' => [$kilobytes, $descriptors]];
        $processes = ['worker' => $process, 'php-fpm' => $process];

        return ClientTorture::result($board, $processes, $late, $findings, $seconds);
    }
}
