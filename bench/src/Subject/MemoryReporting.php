<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** A store that says how much memory it uses. */
interface MemoryReporting extends Subject
{
    /** Of all that the store keeps, not only of what this subject put there. */
    public function usage(): MemoryUsage;
}
