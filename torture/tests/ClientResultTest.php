<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Client\ClientResult;
use Larder\Torture\Client\Fault;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ClientResult::class)]
final class ClientResultTest extends TestCase
{
    /** @return iterable<string, array{ClientResult, bool}> */
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
    public function testWhatIsClean(ClientResult $result, bool $clean): void
    {
        self::assertSame($clean, $result->isClean());
    }

    public function testLastLine(): void
    {
        self::assertSame('wrong: 1, hung: 2 of 50000 requests, 36 faults', self::resultWith(late: ['1 a', '2 b'], findings: ['x'])->line());
    }

    public function testARunWithoutOneOfTheFaultsShowsNothing(): void
    {
        self::assertTrue(self::resultWith()->shows(30));
        self::assertFalse(self::resultWith()->shows(3000), 'too few requests');
        self::assertFalse(self::resultWith(faults: 0)->shows(30));
        self::assertFalse(self::resultWith(aborts: 0)->shows(30));
    }

    public function testFigures(): void
    {
        $figures = self::resultWith()->toArray();

        self::assertSame(2, $figures['fault_half_close']);
        self::assertSame(14, $figures['worker_descriptors_late']);
    }

    /**
     * @param list<string> $late
     * @param list<string> $findings
     */
    private static function resultWith(array $late = [], array $findings = [], int $kilobytes = 10_000, int $descriptors = 14, int $faults = 2, int $aborts = 9): ClientResult
    {
        $process = ['early' => [10_000, 14], 'late' => [$kilobytes, $descriptors]];

        return new ClientResult(50_000, 100_000, 90_000, 40_000, 30_000, 300, 200, 60, 100, $aborts, array_fill_keys(array_column(Fault::cases(), 'name'), $faults), 3.0, 5.0, ['worker' => $process, 'fpm' => $process], $late, $findings);
    }
}
