<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use DateTimeImmutable;
use Psr\Clock\ClockInterface;

/** Stands still until it is set, since time would make two runs of one schedule differ. */
final class StoppedClock implements ClockInterface
{
    public float $seconds = 1_767_225_600.0;

    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable('@' . \sprintf('%.6F', $this->seconds));
    }
}
