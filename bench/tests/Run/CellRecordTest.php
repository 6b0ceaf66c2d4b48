<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Window;
use Larder\Bench\Run\CellRecord;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Measured;
use PHPUnit\Framework\TestCase;

final class CellRecordTest extends TestCase
{
    public function testCollectsWindowsAndSaysHowOftenAFlagWasRaised(): void
    {
        $record = new CellRecord('memcached');
        $record->add($this->measured(steady: true, extra: ['bytes' => 10.0]), 0, 2);
        $record->add($this->measured(steady: false, extra: ['bytes' => 30.0]), 1, 0);
        $record->add($this->measured(steady: true, extra: ['bytes' => 20.0]), 2, 1);
        $cell = $record->cell();

        self::assertSame(CellState::Measured, $cell->state);
        self::assertSame(
            [[0, 2], [1, 0], [2, 1]],
            array_map(static fn(Window $window): array => [$window->block, $window->position], $cell->windows),
        );
        self::assertSame(['unsteady in 1 of 3 windows'], $cell->flags);
        self::assertSame(['bytes' => 20.0], $cell->extra);
        self::assertSame(3, $cell->latency->count());
    }

    public function testHasNoNumberLeftAfterAWrongReply(): void
    {
        $record = new CellRecord('memcached');
        $record->add($this->measured(extra: ['bytes' => 10.0]), 0, 0);
        $record->void('key:7: the value of another key');
        $cell = $record->cell();

        self::assertFalse($record->goesOn());
        self::assertSame(CellState::Wrong, $cell->state);
        self::assertSame(
            [[], [], 0, 'key:7: the value of another key'],
            [$cell->windows, $cell->extra, $cell->latency->count(), $cell->error],
        );
        self::assertNull($cell->rate());
    }

    public function testKeepsTheWindowsOfAFailedCellAndGivesNoRate(): void
    {
        $record = new CellRecord('memcached');
        $record->add($this->measured(), 0, 0);
        $record->fail('connection refused');

        self::assertSame(CellState::Failed, $record->cell()->state);
        self::assertCount(1, $record->cell()->windows);
        self::assertNull($record->cell()->rate());
    }

    public function testCountsACellWithoutAWindowAsFailed(): void
    {
        self::assertSame(CellState::Failed, (new CellRecord('memcached'))->cell()->state);
    }

    /** @param array<string, float> $extra */
    private function measured(bool $steady = true, array $extra = []): Measured
    {
        $latency = new Histogram();
        $latency->record(1000);

        return new Measured(new Window(0, 0, 0.2, 1, 0, 32, 5.0, 3.0, [1], [1], $steady), $latency, extra: $extra);
    }
}
