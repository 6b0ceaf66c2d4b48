<?php

declare(strict_types=1);

namespace Larder;

use DateTimeImmutable;
use Psr\Clock\ClockInterface;

/** @internal The machine's clock. */
final readonly class SystemClock implements ClockInterface
{
    public function now(): DateTimeImmutable
    {
        return new DateTimeImmutable();
    }
}
