<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use Larder\Bench\Workload\Http\Overload;
use PHPUnit\Framework\TestCase;

final class RecoveryTest extends TestCase
{
    private const MS = 1_000_000;

    public function testIsWhereNormalSlicesBegin(): void
    {
        $recovery = self::recovery(static fn(int $ms): array => match (true) {
            $ms < 300 => [200, null],
            $ms < 350 => [1, 'time-out'],
            default => [1, null],
        });

        self::assertSame(0.4, $recovery);
    }

    public function testOneGoodSliceIsNoRecovery(): void
    {
        $recovery = self::recovery(static fn(int $ms): array => [$ms < 100 || ($ms > 200 && $ms < 700) ? 1 : 90, null]);

        self::assertNull(
            self::recovery(
                static fn(int $ms): array => [intdiv($ms, 100) % 2 === 0 ? 1 : 90, null],
            ),
        );
        self::assertSame(0.2, $recovery);
    }

    public function testAtOnceIfNothingWasWrong(): void
    {
        self::assertSame(0.0, self::recovery(static fn(int $ms): array => [1, null]));
    }

    public function testNeverWithErrorsToTheEnd(): void
    {
        self::assertNull(
            self::recovery(
                static fn(int $ms): array => [1, $ms % 100 === 0 ? 'status 502' : null],
            ),
        );
    }

    public function testWhatWasBeforeDoesNotCount(): void
    {
        $requests = [[99 * self::MS, 999 * self::MS, 'time-out']];
        for ($ms = 100; $ms < 700; $ms += 10) {
            $requests[] = [$ms * self::MS, ($ms + 1) * self::MS, null];
        }

        self::assertSame(
            0.0,
            Overload::recovery($requests, 100.0 * self::MS, 700.0 * self::MS, 10.0 * self::MS),
        );
    }

    /**
     * @param \Closure(int): array{int, string|null} $became milliseconds that a request took that was due then, and its
     *     error
     */
    private static function recovery(\Closure $became): ?float
    {
        $requests = [];
        for ($ms = 0; $ms < 1000; $ms += 10) {
            [$took, $error] = $became($ms);
            $requests[] = [$ms * self::MS, ($ms + $took) * self::MS, $error];
        }

        return Overload::recovery($requests, 0.0, 1000.0 * self::MS, 10.0 * self::MS);
    }
}
