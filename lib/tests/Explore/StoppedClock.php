<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use DateTimeImmutable;
use Psr\Clock\ClockInterface;

/** Time would make two runs of one schedule differ. */
final readonly class StoppedClock implements ClockInterface
{
    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable('2026-01-01T00:00:00Z');
    }
}
