<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Workload\Http\Stage;
use PHPUnit\Framework\TestCase;

final class StageTest extends TestCase
{
    public function testConstantOnesAreTheSameTimeApartInEachStage(): void
    {
        $times = Stage::times([new Stage(0.1, 50.0), new Stage(0.05, 100.0)], true, 1);

        self::assertSame(
            [20, 40, 60, 80, 110, 120, 130, 140],
            array_map(
                static fn(int $time): int => intdiv($time, 1_000_000),
                iterator_to_array($times, false),
            ),
        );
    }

    public function testExponentialOnesHaveTheRateAndTheSpreadOfChance(): void
    {
        $times = iterator_to_array(Stage::times([new Stage(10.0, 1000.0)], false, 7), false);
        $gaps = array_map(
            static fn(int $a, int $b): int => $b - $a,
            \array_slice($times, 0, -1),
            \array_slice($times, 1),
        );
        $mean = array_sum($gaps) / \count($gaps);
        $variance = array_sum(array_map(static fn(int $gap): float => ($gap - $mean) ** 2, $gaps)) / \count($gaps);

        self::assertEqualsWithDelta(10_000, \count($times), 400);
        self::assertEqualsWithDelta(1e6, $mean, 4e4);
        self::assertEqualsWithDelta(1.0, sqrt($variance) / $mean, 0.06);
        self::assertSame(
            $times,
            iterator_to_array(Stage::times([new Stage(10.0, 1000.0)], false, 7), false),
        );
        self::assertNotSame(
            $times,
            iterator_to_array(Stage::times([new Stage(10.0, 1000.0)], false, 8), false),
        );
    }

    public function testKnowsTheStageOfATime(): void
    {
        [$one, $two] = [new Stage(1.0, 1.0), new Stage(2.0, 5.0)];

        self::assertSame(
            [$one, $one, $two, $two, $two],
            array_map(
                static fn(int $time): Stage => Stage::at([$one, $two], $time),
                [0, 999_999_999, 1_000_000_000, 2_999_999_999, 9_000_000_000],
            ),
        );
    }

    public function testAStageWithoutARateIsRefused(): void
    {
        $this->expectException(InvalidArgumentException::class);
        new Stage(1.0, 0.0);
    }
}
