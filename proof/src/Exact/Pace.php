<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;

/** Stops a connection before each of its steps, while it is told how. */
final class Pace
{
    /** @var (Closure(): void)|null */
    public ?Closure $stop = null;

    public function step(): void
    {
        if ($this->stop !== null) {
            ($this->stop)();
        }
    }
}
