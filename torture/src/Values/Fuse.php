<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;

/** Kills its own process after so many steps. */
final class Fuse
{
    private int $left = 0;

    /** @param Closure(): void $last is done before */
    public function __construct(private readonly Closure $last) {}

    /** @param int $steps 0: it will not burn */
    public function light(int $steps): void
    {
        $this->left = $steps;
    }

    public function burn(): void
    {
        if ($this->left > 0 && --$this->left === 0) {
            ($this->last)();
            posix_kill((int) getmypid(), SIGKILL);
        }
    }
}
