<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Closure;
use Larder\Row\Heartbeat;
use Larder\Store\ArrayStore;
use Larder\Tests\Discovery\SteppedClock;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Heartbeat::class)]
final class HeartbeatTest extends TestCase
{
    private SteppedClock $clock;

    private ArrayStore $store;

    private Heartbeat $heart;

    protected function setUp(): void
    {
        $this->clock = new SteppedClock();
        $this->store = new ArrayStore($this->clock);
        $this->heart = new Heartbeat($this->store);
    }

    public function testBeatsUntilMaxLagIsOverAtTheLatest(): void
    {
        self::assertFalse($this->heart->isThere());
        self::assertTrue($this->heart->beat(4.0, static fn(): float => 0.5));
        self::assertTrue($this->heart->isThere());
        $this->clock->seconds += 1.4;
        self::assertTrue($this->heart->isThere());
        $this->clock->seconds += 0.2;
        self::assertFalse($this->heart->isThere());
    }

    public function testWhatIsOlderIsNoSign(): void
    {
        self::assertFalse($this->heart->beat(4.0, static fn(): float => 2.0));
        self::assertFalse($this->heart->isThere());
    }

    /** It was stopped after it had looked how old its sign is. */
    public function testASignThatComesTooLateIsNone(): void
    {
        self::assertFalse($this->heart->beat(4.0, $this->stoppedFor(2.1)));
        self::assertFalse($this->heart->isThere());
        self::assertTrue($this->heart->beat(4.0, static fn(): float => 0.0));
        self::assertFalse($this->heart->beat(4.0, $this->stoppedFor(2.1)));
        self::assertFalse($this->heart->isThere());
    }

    /** The time that it was stopped for, and the time that it beats for, are not more than maxLag together. */
    public function testASignThatComesLateEndsInTime(): void
    {
        $this->heart->beat(4.0, static fn(): float => 0.0);
        self::assertTrue($this->heart->beat(4.0, $this->stoppedFor(1.9)));
        $this->clock->seconds += 2.0;
        self::assertFalse($this->heart->isThere());
    }

    public function testOfTwoTheFasterOneCounts(): void
    {
        self::assertFalse($this->heart->beat(4.0, function (): float {
            (new Heartbeat($this->store))->beat(4.0, static fn(): float => 0.0);

            return 0.0;
        }));
        self::assertTrue($this->heart->isThere());
    }

    /** @return Closure(): float */
    private function stoppedFor(float $seconds): Closure
    {
        return function () use ($seconds): float {
            $this->clock->seconds += $seconds;

            return 0.0;
        };
    }
}
