<?php

declare(strict_types=1);

namespace Larder\Cache;

use Psr\Clock\ClockInterface;

/**
 * A clock by which a cache also waits, so that a test can let any time pass at once. The system's clock is none of
 * these: there hrtime() and usleep() are meant.
 *
 * @internal
 */
interface MonotonicClock extends ClockInterface
{
    public function nanoseconds(): int;

    public function sleep(int $microseconds): void;
}
