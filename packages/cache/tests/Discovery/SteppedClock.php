<?php

declare(strict_types=1);

namespace Larder\Tests\Discovery;

use DateTimeImmutable;
use Psr\Clock\ClockInterface;

/** Stands still until it is moved. */
final class SteppedClock implements ClockInterface
{
    public float $seconds = 1_000_000.5;

    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable('@' . \sprintf('%.6F', $this->seconds));
    }
}
