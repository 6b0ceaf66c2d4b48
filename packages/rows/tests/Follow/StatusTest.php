<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\State;
use Larder\Follow\Status;
use Larder\Metrics\NullCounters;
use Larder\Metrics\PrometheusText;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Status::class)]
final class StatusTest extends TestCase
{
    private TemporaryDirectory $scratch;

    protected function setUp(): void
    {
        $this->scratch = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->scratch->remove();
    }

    public function testOneThatNeverRan(): void
    {
        $status = Status::of($this->scratch->path);

        self::assertFalse($status->isWell(1000.0));
        self::assertSame(['running' => false, 'well' => false, 'sign_age' => null], $status->values(1000.0));
        self::assertNull($status->age(1000.0));
        self::assertSame([
            'larder_follow_up' => 0, 'larder_follow_work_total' => 0, 'larder_follow_rows_total' => 0,
            'larder_follow_names_total' => 0, 'larder_follow_everything_total' => 0,
            'larder_follow_failures_total' => 0,
        ], $status->series(1000.0));
    }

    public function testOneThatRuns(): void
    {
        $state = new State($this->scratch->path);
        $lock = $state->lock();
        $state->tell([
            'at' => 1000.0, 'lag' => 0.25, 'max_lag' => 3.0, 'position' => 'log.000002:345 (0-1-7)', 'work' => 3,
            'rows' => 40, 'names' => 5, 'everything' => 1, 'failures' => 2, 'failure' => null,
        ]);
        $status = Status::of($this->scratch->path);

        self::assertNotNull($lock);
        self::assertTrue($status->isWell(1002.0));
        self::assertSame(2.25, $status->age(1002.0));
        self::assertSame(0.25, $status->age(999.0), 'a clock that was put back makes no sign younger than its lag');
        $text = (new PrometheusText())->of(new NullCounters(), $status->series(1002.0));
        foreach ([
            'larder_follow_up 1', 'larder_follow_lag_seconds 0.25', 'larder_follow_sign_age_seconds 2.25',
            'larder_follow_position_bytes{file="log.000002"} 345', 'larder_follow_work_total 3',
            'larder_follow_rows_total 40', 'larder_follow_names_total 5', 'larder_follow_everything_total 1',
            'larder_follow_failures_total 2',
        ] as $line) {
            self::assertStringContainsString("\n$line\n", $text);
        }
        self::assertSame(9, preg_match_all('/^# TYPE larder_follow_\w+ (?:gauge|counter)$/m', $text));
    }

    public function testOneThatFailedLastOrIsKilledIsNotWell(): void
    {
        $state = new State($this->scratch->path);
        $lock = $state->lock();
        self::assertNotNull($lock);
        $state->tell(['at' => 1000.0, 'lag' => null, 'failure' => 'the server is gone']);
        $failed = Status::of($this->scratch->path);
        self::assertTrue($failed->isRunning);
        self::assertFalse($failed->isWell(1000.0));
        self::assertNull($failed->age(1000.0));

        $state->tell(['at' => 1000.0, 'lag' => 0.25, 'max_lag' => 3.0, 'failure' => null]);
        self::assertTrue(Status::of($this->scratch->path)->isWell(1000.0));
        fclose($lock);
        self::assertFalse(Status::of($this->scratch->path)->isWell(1000.0));
    }

    public function testOneWhoseLastSignIsOlderThanMaxLagIsNotWell(): void
    {
        $state = new State($this->scratch->path);
        $lock = $state->lock();
        self::assertNotNull($lock);
        $state->tell(['at' => 1000.0, 'lag' => 0.25, 'max_lag' => 2.0, 'failure' => null]);
        $status = Status::of($this->scratch->path);
        self::assertTrue($status->isRunning);
        self::assertTrue($status->isWell(1001.75));
        self::assertFalse($status->isWell(1001.875));
        self::assertSame(0, $status->series(1001.875)['larder_follow_up']);
        self::assertSame(['running' => true, 'well' => false, 'sign_age' => 2.125], \array_slice(
            $status->values(1001.875),
            0,
            3,
        ));
        // It has begun, and has seen no sign.
        $state->tell(['at' => 1000.0, 'lag' => null, 'max_lag' => 2.0, 'failure' => null]);
        self::assertFalse(Status::of($this->scratch->path)->isWell(1000.0));
    }
}
