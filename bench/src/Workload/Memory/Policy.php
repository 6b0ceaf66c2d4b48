<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/** A cache of so many keys that all are of one size, as a rule for which to drop: what a store is held against. */
interface Policy
{
    /** A get, and on a miss a set. Returns whether it was a hit. */
    public function request(int $key): bool;
}
