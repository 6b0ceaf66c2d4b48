<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** For how long a value may be handed out. Seconds throughout. */
final readonly class Freshness
{
    /**
     * @param float $life   from when it was made
     * @param float $window the last part of it, in which it is to be made anew and may still be handed out; who knows
     *     no such window keeps it for the whole life
     * @param float $lease  that a compute may take before another one may begin, where that can be said
     */
    public function __construct(
        public float $life,
        public float $window,
        public float $lease,
    ) {}
}
