<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;

/** Kills its own process after a number of steps. */
final class DeathCountdown
{
    private int $left = 0;

    /** @param Closure(): void $last runs just before the process dies */
    public function __construct(private readonly Closure $last) {}

    /** @param int $steps 0: the process goes on */
    public function start(int $steps): void
    {
        $this->left = $steps;
    }

    public function step(): void
    {
        if ($this->left > 0 && --$this->left === 0) {
            ($this->last)();
            posix_kill((int) getmypid(), SIGKILL);
        }
    }
}
